"""Sessions with a cookie: their rows, copies and middleware."""
