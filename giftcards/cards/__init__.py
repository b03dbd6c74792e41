"""Gift cards: issued, changed, redeemed, canceled, sent."""
