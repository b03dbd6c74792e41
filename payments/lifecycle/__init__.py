"""Payment collections of carts and orders: opened, completed, canceled, released."""
