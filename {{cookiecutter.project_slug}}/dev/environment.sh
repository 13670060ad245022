# environment.sh FOLDER REQUIREMENTS [tools]: brings a virtual environment to exactly the pinned packages plus this
# service (without it for `tools`), with uv if it is there, else with pip. PYTHON names the interpreter; without it the
# first one that is new enough is taken.
set -eu
folder=$1 requirements=$2 what=${3:-service}

new_enough() { "$1" -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11 python}; do
  if new_enough "$candidate"; then python=$candidate && break; fi
done
[ -n "${python:-}" ] || {
  echo "Python 3.11 or later (with venv) is needed; say make PYTHON=/path/to/python3 ..." >&2
  exit 1
}
new_enough "$folder/bin/python" || rm -rf "$folder"

echo "installing $requirements into $folder ..."
# Nothing is compiled ahead: what is imported is compiled then, and most of what is installed is never imported.
if uv --version >/dev/null 2>&1; then
  [ -d "$folder" ] || uv venv --quiet --no-project --python "$("$python" -c 'import sys; print(sys.executable)')" "$folder"
  install() { uv pip install --quiet --python "$folder/bin/python" "$@"; }
elif "$python" -m pip --python "$python" --version >/dev/null 2>&1; then
  # The interpreter's own pip installs into the folder: a pip of its own takes longer than half of the packages.
  [ -d "$folder" ] || "$python" -m venv --without-pip "$folder"
  install() { "$python" -m pip --python "$folder/bin/python" install --quiet --no-compile --disable-pip-version-check "$@"; }
else
  "$folder/bin/python" -m pip --version >/dev/null 2>&1 || "$python" -m venv --clear "$folder"
  install() { "$folder/bin/python" -m pip install --quiet --no-compile --disable-pip-version-check "$@"; }
fi
install --require-hashes --requirement "$requirements"
[ "$what" = tools ] || install --no-deps --no-build-isolation --editable .
