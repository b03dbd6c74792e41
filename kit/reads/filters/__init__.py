"""Filters of lists, from the query string to the database."""
