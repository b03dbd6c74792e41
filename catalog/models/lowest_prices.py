"""The lowest prices of products, and what has changed since they were computed."""

from django.db import models

from kit.values.ids import ID_MAX_LENGTH, UnconstrainedIdField
from kit.values.money import MoneyField


class LowestPrice(models.Model):
    """The lowest amount of a product in a currency, among the prices of a list (catalog/prices/lowest_prices).

    price_list_id: empty for the prices of no list. is_ruled: whether one of these prices has rules, so that the lowest
    may not apply, or not be the best.
    """

    pk = models.CompositePrimaryKey("product_id", "currency_code", "price_list_id")
    product_id = UnconstrainedIdField()
    currency_code = models.CharField(max_length=3)
    price_list_id = UnconstrainedIdField()
    amount = MoneyField()
    is_ruled = models.BooleanField()

    objects = models.Manager["LowestPrice"]()

    def __str__(self) -> str:
        return f"{self.amount} {self.currency_code}"


class StalePrice(models.Model):
    """A mark that the lowest prices of some products must be computed again. Triggers write it; recomputing deletes it.

    kind: `price_set`, `price` or `product`. key: the id of that row.
    """

    kind = models.CharField(max_length=16)
    key = models.CharField(max_length=ID_MAX_LENGTH)

    objects = models.Manager["StalePrice"]()

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"
