"""Captures, refunds and what else moves money."""
