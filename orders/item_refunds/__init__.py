"""Refunds of units of an order, with what becomes of the units."""
