"""Ordering again."""
