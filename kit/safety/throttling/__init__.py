"""Counted attempts, and their limits."""
