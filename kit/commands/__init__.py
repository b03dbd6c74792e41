"""Bases of manage.py commands: arguments, progress, interruption."""
