"""Reductions of price lists: goods and a percentage, which fill the list with reduced prices and can be repeated."""
