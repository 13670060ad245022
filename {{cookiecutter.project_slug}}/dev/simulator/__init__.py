"""The external systems, simulated: one process, a path prefix per system, and faults on demand.

Each system answers as the OpenAPI document in its adapter's folder says. What it does wrong is set over HTTP, at
`/_simulator/{system}`, and what reached it can be read there: the proof that one key had one effect.
"""
