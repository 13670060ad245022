"""{{ cookiecutter.package_name }}: a service that survives the failures of the systems it depends on.

Work that waits for an external system is a row in a task table and a 202, never a sleep in a handler.
Start reading in `wiring/`: one small module per aggregate and per task says who talks to whom.
"""

DISTRIBUTION = "{{ cookiecutter.project_slug }}"
TEMPLATE_VERSION = "{{ cookiecutter._template_version }}"
"""Of the template that this service was generated from, or last updated to."""
