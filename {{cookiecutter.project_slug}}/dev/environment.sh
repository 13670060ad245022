# environment.sh FOLDER REQUIREMENTS [tools]: brings a virtual environment to exactly the pinned packages plus this
# service (without it for `tools`), with uv if it is there, else with pip. PYTHON names the interpreter; without it the
# first one that is new enough is taken.
set -eu
folder=$1 requirements=$2 what=${3:-service}

new_enough() { "$1" -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

if ! new_enough "$folder/bin/python"; then
  python=
  for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11 python}; do
    if new_enough "$candidate"; then python=$candidate && break; fi
  done
  [ -n "$python" ] || {
    echo "Python 3.11 or later (with venv) is needed; say make PYTHON=/path/to/python3 ..." >&2
    exit 1
  }
  rm -rf "$folder"
fi

echo "installing $requirements into $folder ..."
if uv --version >/dev/null 2>&1; then
  [ -d "$folder" ] || uv venv --quiet --no-project --python "$("$python" -c 'import sys; print(sys.executable)')" "$folder"
  pip() { uv pip "$@" --quiet --python "$folder/bin/python"; }
else
  [ -d "$folder" ] || "$python" -m venv "$folder"
  pip() { "$folder/bin/python" -m pip --quiet --disable-pip-version-check "$@"; }
fi
pip install --require-hashes --requirement "$requirements"
[ "$what" = tools ] || pip install --no-deps --no-build-isolation --editable .
