"""Shared machinery below all apps: it imports none of them."""
