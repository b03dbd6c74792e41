"""Who else gets to see an order: guests who look it up, and customers to whom it is transferred."""
