"""Inventory items, as staff maintain them. Variants that use a deleted one can no longer be sold from stock."""

from catalog.models import InventoryItem
from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.verbs import RowVerbs

VERBS = RowVerbs(InventoryItem, ("sku", "title", "requires_shipping"), delete=delete_rows, restore=restore_rows)
"""Stock is changed by movements (catalog/stock/stock_changes.py)."""
