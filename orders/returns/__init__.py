"""Returns: goods that come back. One verb per module; each locks the order. Refunds are verbs of their own."""
