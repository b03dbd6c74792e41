"""Erasing a person's data: account, carts and traces immediately, orders after the retention time.

An erasure is one transaction, which locks in the order of orders.md 8.4. It keeps the parts of an order that accounting
needs: number, country, postal area, amounts, taxes, statuses. `retention` erases the orders that had to wait.
Source: orders.md D21, 8.22; behaviour.md 0.24.
"""
