"""What staff do with an order as a whole. One verb per module; each locks the order."""
