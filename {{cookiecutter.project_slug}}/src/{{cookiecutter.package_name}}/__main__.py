"""`python -m {{ cookiecutter.package_name }}` runs the service; `... migrate` and `... tasks` are for operators."""

import sys

from {{ cookiecutter.package_name }}.infrastructure.commands import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
