"""Erasing a person's data: account, carts and traces immediately, orders after the retention time.

An erasure keeps the parts of an order that accounting needs: number, country, postal area, amounts, taxes, statuses.
The ledger of store credit remains, too. `retention` erases the orders that had to wait.
Why: docs/decisions/orders.md#an-erasure-is-one-transaction.
"""
