"""Exports of orders, and the form of their days, which reports share."""
