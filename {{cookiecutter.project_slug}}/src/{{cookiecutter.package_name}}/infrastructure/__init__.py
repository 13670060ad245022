"""The process around the service: settings, discovery, composition, servers, telemetry.

Owned by the template: an update replaces this folder. What a team adds is found by discovery in `wiring/` and
`adapters/outbound/`; nothing here names a system, an aggregate or a task.
"""
