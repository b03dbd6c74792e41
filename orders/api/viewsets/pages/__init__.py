"""HTML pages: what they have in common, and those of a found order and of a payment."""
