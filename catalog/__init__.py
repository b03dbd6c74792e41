"""Products, categories, prices, stock and search."""
