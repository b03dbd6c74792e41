"""Calls of tax providers for carts and edits of orders, and the responses that are stored for carts."""
