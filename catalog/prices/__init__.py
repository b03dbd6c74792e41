"""Prices: what staff maintain, and which price holds for a context."""
