"""Fulfillments: packing, shipping and delivering items of an order. One verb per module; each locks the order."""
