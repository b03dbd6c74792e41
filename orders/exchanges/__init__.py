"""Exchanges and claims: goods come back or are written off, and others go out. They are changes, as edits are.

Refunds by item are here, too: they edit, and take goods back.
"""
