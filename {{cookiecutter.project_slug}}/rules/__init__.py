"""The resilience rules, executable: one checker for calls, values and scopes, on the standard library alone.

`python path/to/rules SOURCE_TREE` checks any Python source tree; `make rules` checks this service.
"""

VERSION = "1.0.0"
