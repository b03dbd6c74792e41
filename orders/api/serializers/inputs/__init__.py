"""What requests about fulfillments, returns and transfers send."""
