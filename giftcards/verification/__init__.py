"""The ledger's invariants, for `manage.py verify_ledger`."""
