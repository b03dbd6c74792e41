"""Gift cards and store credit, in one append-only ledger."""
