"""What a cart says of itself: email, addresses, region, channel, customer, promotion codes."""
