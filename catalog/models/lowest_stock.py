"""Which products are low in stock, and what has changed since that was computed."""

from django.db import models

from catalog.models.products import Product
from commerce.kit.core.ids import ID_MAX_LENGTH


class LowestStock(models.Model):
    """The lowest available stock of a product's variants at any location (catalog/lowest_stock).

    A product without a variant that is sold from stock has no row.
    """

    product = models.OneToOneField(
        Product, primary_key=True, on_delete=models.CASCADE, related_name="lowest_stock", db_constraint=False
    )
    available = models.IntegerField()

    objects = models.Manager["LowestStock"]()

    class Meta:
        indexes = [models.Index(fields=["available", "product"], name="catalog_loweststock_available")]

    def __str__(self) -> str:
        return str(self.available)


class StockNote(models.Model):
    """Notes a change after which the lowest stock of some products may differ. Only triggers add it.

    kind, key: what has changed: an item, a variant, a product or a location, and its id.
    """

    kind = models.CharField(max_length=16)
    key = models.CharField(max_length=ID_MAX_LENGTH)

    objects = models.Manager["StockNote"]()

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"
