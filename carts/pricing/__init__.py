"""A locked cart and its prices: context, prices, discounts, taxes and totals, computed and stored again."""
