"""Shipping methods, credit lines, taxes and payment of a cart, and closing it while it is completed."""
