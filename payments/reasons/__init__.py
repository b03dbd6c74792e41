"""Refund reasons."""
