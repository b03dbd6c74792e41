"""Account types that can sign in, customers and staff, and the actors that they become."""
