"""Editing products as a whole: options, variants, prices and stock, of any number of products at once."""
