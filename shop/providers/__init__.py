"""Providers by name, and the code that they name."""
