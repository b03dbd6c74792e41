"""Fulfillments: what is packed, shipped and delivered of an order. One module a verb; all hold the order's lock."""
