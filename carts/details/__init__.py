"""Creating carts, and changing their email, addresses, region, channel, customer and promotion codes."""
