"""Full-text search of orders, by one search entry for each.

Verbs write entries in their own transactions: `placing` inserts the entry of an order, and verbs that change its
email address, addresses or labels call `refresh_entry`. Who writes a document calls `add_numbers`.
"""
