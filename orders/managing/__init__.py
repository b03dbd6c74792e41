"""Changing, completing, archiving and canceling an order, and its notes."""
