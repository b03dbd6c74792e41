"""Asking a tax provider about a cart: what, when and how often, and what its answer changes."""
