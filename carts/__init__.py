"""Carts: lines, prices, promotions, addresses, and what a checkout needs."""
