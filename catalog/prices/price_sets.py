"""The price sets of variants and shipping options: each has at most one, created with its first price.

Create one only under the lock that guards writes of its owner, and read the owner under it: of two sets created at
once, one would be lost with its prices. A shop file creates those of its rows itself, under the same lock.
"""

from collections.abc import Collection
from typing import Any

from django.db import models, transaction

from catalog.models import PriceSet, Product, ProductVariant
from kit.database.locking import lock_rows
from kit.editing.changes import overwrite
from kit.writes.insertion import insert


@transaction.atomic
def of_variants(variant_ids: Collection[str]) -> dict[str, str]:
    """The ids of the price sets by variant id. Creates missing ones, under the locks of the variants' products."""
    variants: models.QuerySet[ProductVariant] = ProductVariant.objects.filter(pk__in=variant_ids)
    lock_rows(Product.objects.filter(pk__in=variants.filter(price_set=None).values("product")).only("pk"))
    return _of_rows(variants)


def of_owner(owner: models.Model) -> PriceSet:
    """The price set of a stored variant or shipping option, created if missing. Callers hold the owner's lock."""
    made = _of_rows(type(owner)._default_manager.filter(pk=owner.pk))
    return PriceSet.objects.get(pk=made[owner.pk])


def _of_rows(owners: models.QuerySet[Any]) -> dict[str, str]:
    without = list(owners.filter(price_set=None))
    for row in without:
        row.price_set = PriceSet()
    insert([row.price_set for row in without])
    overwrite(without, ["price_set"])
    return dict(owners.values_list("pk", "price_set_id"))
