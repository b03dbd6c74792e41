"""Returns of goods: requesting, preparing, receiving and canceling them. Each verb locks the order; none refunds."""
