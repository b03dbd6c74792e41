"""Shipping options, their prices and providers, and the shipping methods of carts."""
