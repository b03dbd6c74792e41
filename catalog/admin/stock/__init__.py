"""Screens of inventory items, stock levels, reservations and movements."""

from catalog.admin.stock import inventory, low_stock, stock_movements

__all__ = ["inventory", "low_stock", "stock_movements"]
