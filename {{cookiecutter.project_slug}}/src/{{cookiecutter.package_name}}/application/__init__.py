"""What the service does: use cases for requests, schedulers for tasks, event handlers and flows for what follows.

Every module declares the ports it needs, as narrow Protocols; adapters fill them, `wiring` says which.
"""
