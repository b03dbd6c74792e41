"""Calls of tax providers for carts, and the stored responses."""
