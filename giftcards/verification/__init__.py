"""Whether the ledger adds up."""
