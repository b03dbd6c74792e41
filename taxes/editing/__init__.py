"""Changing tax regions and their rates."""
