"""Completing a cart: it becomes an order."""
