"""Roles of staff."""
