"""Exchanges and claims: goods come back or are written off, and others go out. They are changes, as edits are."""
