"""Guests find their order by its number and email address."""
