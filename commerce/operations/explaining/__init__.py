"""What a request reads: its statements, and the declarations that made each of them."""
