"""Middleware, and the direct way of requests past Django's chain."""
