"""Products with their options, variants, labels and pictures."""
