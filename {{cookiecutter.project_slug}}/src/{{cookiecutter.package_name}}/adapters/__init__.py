"""The edges: HTTP on the inbound side, the database and the external systems on the outbound side."""
