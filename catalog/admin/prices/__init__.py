"""Prices on the screens of variants and price lists, with their rules."""
