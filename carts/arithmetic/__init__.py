"""Amounts of lines and carts: discounts, taxes, totals. No database."""
