"""The payments of an order, its payment status, and the gift cards that it bought."""
