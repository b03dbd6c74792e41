"""Payment collections: locked, their totals, the order's steps, captured money without an order."""
