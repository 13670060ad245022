"""Names that several modules of the ledger use."""
NO_DEADLINE = None
BANK = "bank"
FRAUD = "fraud"
AUDIT = "audit"
