"""The columns that may name pictures that were uploaded."""

from carts.models import LineItem
from catalog.models import (
    InventoryItem,
    Product,
    ProductCategory,
    ProductCollection,
    ProductImage,
    ProductTag,
    ProductType,
    ProductVariant,
)
from orders.models import GiftCardLineItem, OrderLineItem
from pictures.expiry import Column
from staff.models import User

COLUMNS = (
    Column(ProductImage, "url", is_address=True),
    Column(Product, "thumbnail", is_address=True),
    Column(Product, "description"),
    *(
        Column(model, "metadata")
        for model in (
            Product,
            ProductImage,
            ProductVariant,
            ProductCategory,
            ProductCollection,
            ProductType,
            ProductTag,
            InventoryItem,
        )
    ),
    Column(InventoryItem, "thumbnail", is_address=True),
    Column(InventoryItem, "description"),
    Column(ProductCategory, "description"),
    Column(User, "avatar_url", is_address=True),
    Column(LineItem, "thumbnail", is_address=True),
    Column(GiftCardLineItem, "thumbnail", is_address=True),
    Column(OrderLineItem, "thumbnail", is_address=True),
)
"""Soft-deleted rows count too, since they can be restored. The lines of orders come last, as the largest table."""
