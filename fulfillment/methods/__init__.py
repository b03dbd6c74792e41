"""The shipping method of a cart: chosen, and priced again."""
