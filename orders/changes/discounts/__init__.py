"""The discounts of lines, as a change computes them. No database."""
