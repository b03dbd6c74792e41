"""Customers, their addresses and groups."""
