"""What a developer's machine needs and production has not: launcher, embedded PostgreSQL, simulated systems.

Owned by the template: an update replaces this folder, and the image does not hold it. `python -m dev` shows the verbs;
the Makefile calls them. Nothing here is imported by the service.
"""
