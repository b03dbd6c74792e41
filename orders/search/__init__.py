"""The entries that orders are searched by. Source: orders.md D18.

Verbs write them in their own transactions: `placing` inserts an order's entry, and whatever changes its e-mail address
or addresses calls `refresh_entry`.
"""
