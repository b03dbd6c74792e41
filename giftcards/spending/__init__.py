"""Paying with gift cards and store credit: in carts, held, spent."""
