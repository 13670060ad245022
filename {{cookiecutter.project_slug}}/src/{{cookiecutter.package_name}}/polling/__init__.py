"""The kit around one row: task table, claim, outcome, outbox, poller."""
