"""The lines of a cart: adding, changing and removing them."""
