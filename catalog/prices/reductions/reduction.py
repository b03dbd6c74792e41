"""A reduction: a percentage, and the goods whose prices it reduces."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import reduce
from operator import or_
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from catalog.models import PriceList, Product, ProductCategory
from kit.database.locking import lock_row
from kit.domain.actor import Actor
from kit.domain.missing_row import missing_rows
from kit.editing.reporting import touch
from kit.errors import InvalidData, NotFound
from kit.values.json import JSONObject

Ids = Sequence[str]
MOST = 20
"""Reductions of a list."""
_LIVE = Q(deleted_at=None, product__deleted_at=None)


@dataclass(frozen=True, slots=True)
class Reduction:
    """percent: above 0 and below 100, or InvalidData is raised.

    goods: ids by a name of GOODS, in one order. Products that any of them names are reduced; without any, all products.
    """

    percent: Decimal
    goods: Mapping[str, Ids]

    def __post_init__(self) -> None:
        if not 0 < self.percent < 100:
            raise InvalidData("The percentage must be above 0 and below 100.")

    @classmethod
    def from_json(cls, stored: Any) -> "Reduction":
        """The reduction that `as_json` describes."""
        goods = stored["goods"]
        return cls(Decimal(stored["percent"]), {name: goods[name] for name in GOODS if name in goods})

    def as_json(self) -> JSONObject:
        """As price lists and jobs store it."""
        return {"percent": str(self.percent), "goods": {name: [*ids] for name, ids in self.goods.items()}}

    def condition(self) -> Q:
        """Whether it reduces a variant, as a condition on variants. One statement for categories, else none."""
        named = [GOODS[name](ids) for name, ids in self.goods.items()]
        return _LIVE & reduce(or_, named) if named else _LIVE


def reductions_of(price_list: PriceList) -> list[Reduction]:
    """The reductions of the list. Of several that name a product, the last one holds."""
    return [Reduction.from_json(one) for one in price_list.reductions or ()]


@transaction.atomic
def replace_reductions(
    *, actor: Actor, price_list_id: str, end: Collection[Reduction] = (), add: Reduction | None = None
) -> None:
    """End some reductions of the list and add one, in the place of one for the same goods; changes no prices yet.

    Raises NotFound, InvalidData for more than MOST, Forbidden.
    """
    actor.require("catalog.add_price")
    price_list = lock_row(PriceList.objects.not_deleted(), price_list_id)
    if price_list is None:
        raise NotFound(missing_rows(PriceList, price_list_id))
    kept = [one for one in reductions_of(price_list) if one not in end and not (add and one.goods == add.goods)]
    if len(stored := [*kept, *([add] if add else [])]) > MOST:
        raise InvalidData(f"A price list has at most {MOST} reductions. End one of them first.")
    price_list.reductions = [one.as_json() for one in stored]
    price_list.save(update_fields=["reductions"])
    touch(PriceList, [price_list.pk])


def _in_categories(ids: Ids) -> Q:
    """Products of these categories, and of those below them."""
    paths = ProductCategory.objects.filter(pk__in=ids, in_deleted_branch=False).values_list("path", flat=True)
    below = [Q(productcategory__path__gte=f"{path}.", productcategory__path__lt=f"{path}/") for path in paths]
    return _linked(Product.categories.through, reduce(or_, below, Q(productcategory__in=ids)), "productcategory")


def _in_tags(ids: Ids) -> Q:
    return _linked(Product.tags.through, Q(producttag__in=ids), "producttag")


def _linked(through: Any, groups: Q, name: str) -> Q:
    return Q(Exists(through.objects.filter(groups, product_id=OuterRef("product_id"), **{f"{name}__deleted_at": None})))


GOODS: Mapping[str, Callable[[Ids], Q]] = {
    "products": lambda ids: Q(product__in=ids),
    "collections": lambda ids: Q(product__collection__in=ids, product__collection__deleted_at=None),
    "categories": _in_categories,
    "tags": _in_tags,
    "types": lambda ids: Q(product__type__in=ids, product__type__deleted_at=None),
}
"""What can name products, each with the condition on variants. Deleted groups name none."""
