"""Promotions and campaigns, as programs maintain them."""
