"""Collections from the cart to the end of the order."""
