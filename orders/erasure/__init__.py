"""Erasing a person's data: their account, carts and traces at once, their orders after the retention time.

The erasure is one transaction, which locks in the order of orders.md 8.4. What it keeps of an order is what the books
need: number, country, postal area, amounts, taxes, statuses. `retention` finishes what had to wait.
Source: orders.md D21, 8.22; behaviour.md 0.24.
"""
