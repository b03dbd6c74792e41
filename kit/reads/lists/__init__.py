"""Statements of lists: pages, counts, listings, searches."""
