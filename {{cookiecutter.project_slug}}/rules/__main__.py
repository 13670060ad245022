"""Entry: `python path/to/rules SOURCE_TREE` and `python -m rules SOURCE_TREE`."""

import gc
import importlib
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent

if __name__ == "__main__":
    gc.disable()  # everything made here lives to the end
    sys.path[:0] = [str(HERE.parent)]
    command = importlib.import_module(f"{HERE.name}.command")
    del sys.path[0]
    status = command.main(sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # taking every syntax tree apart at the end would cost as much as a rule
