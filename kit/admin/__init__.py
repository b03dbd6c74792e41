"""Bases of the admin site's screens."""
