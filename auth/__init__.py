"""Sign-in of customers and staff: passwords, sessions, tokens."""
