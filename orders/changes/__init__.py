"""Changes of placed orders: what they cost, before and when they are confirmed."""
