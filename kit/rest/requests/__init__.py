"""What a request says: query string, body, origin, address."""
