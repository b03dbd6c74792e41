"""The lowest stock of products, and what has changed since it was computed."""

from django.db import models

from catalog.models.products import Product
from kit.values.ids import ID_MAX_LENGTH


class LowestStock(models.Model):
    """The lowest available stock of a product's variants at any location (catalog/stock/lowest_stock).

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


class StaleStock(models.Model):
    """A mark that the lowest stock of some products must be recomputed. Written by triggers, deleted once processed.

    kind: `item`, `variant`, `product` or `location`. key: the id of that row.
    """

    kind = models.CharField(max_length=16)
    key = models.CharField(max_length=ID_MAX_LENGTH)

    objects = models.Manager["StaleStock"]()

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"
