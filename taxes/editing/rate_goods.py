"""The products, product types and shipping options that rates are for."""

from collections.abc import Collection, Hashable, Mapping
from functools import cached_property, reduce
from operator import or_
from typing import NamedTuple

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from catalog.models import Product, ProductType
from fulfillment.models import ShippingOption
from kit.domain.base_model import BaseModel
from kit.editing.children import Children, Key
from taxes.models import RuleReference, TaxRate, TaxRateRule


class Kind(NamedTuple):
    """One kind of goods. model: the table of its rows."""

    reference: RuleReference
    model: type[BaseModel]


KINDS: Mapping[str, Kind] = {
    "products": Kind(RuleReference.PRODUCT, Product),
    "product_types": Kind(RuleReference.PRODUCT_TYPE, ProductType),
    "shipping_options": Kind(RuleReference.SHIPPING_OPTION, ShippingOption),
}
FIELDS = {kind.reference.value: field for field, kind in KINDS.items()}
"""The field of each kind, by reference."""


def with_existing_goods(rates: QuerySet[TaxRate]) -> QuerySet[TaxRate]:
    """Those of the rates that are for anything that is not deleted."""
    of_kinds = (
        Q(reference=kind.reference, reference_id__in=kind.model._default_manager.filter(deleted_at=None).values("pk"))
        for kind in KINDS.values()
    )
    rules = TaxRateRule.objects.not_deleted().filter(reduce(or_, of_kinds), tax_rate=OuterRef("pk"))
    return rates.filter(Q(is_default=True) | Exists(rules))


class RateGoods(Children[TaxRateRule]):
    """The goods of a batch of rates; those of a deleted rate are what was deleted with it."""

    model = TaxRateRule
    parent = "tax_rate_id"
    key = ("reference", "reference_id")

    def stored(self, parents: Collection[Hashable]) -> QuerySet[TaxRateRule]:
        kept = Q(deleted_at=None) | Q(deleted_at=F("tax_rate__deleted_at"))
        return TaxRateRule.objects.filter(kept, tax_rate__in=[*map(str, parents)])

    def put_only(self, rate_id: str, wanted: Collection[Key]) -> bool:
        """Make the rate one for these goods alone. Returns whether that changes anything."""
        return self.replace(rate_id, {key: {} for key in wanted})


class NamedGoods:
    """The rows that a batch of states names, read at once for each kind."""

    def __init__(self, keys: Collection[Key]) -> None:
        self._ids = {field: {str(key) for kind, key in keys if FIELDS[str(kind)] == field} for field in KINDS}

    @cached_property
    def _rows_by_id(self) -> Mapping[str, Mapping[str, BaseModel]]:
        return {
            field: kind.model._default_manager.filter(deleted_at=None).in_bulk(self._ids[field])
            if self._ids[field]
            else {}
            for field, kind in KINDS.items()
        }

    def has(self, key: Key) -> bool:
        """Whether there are such goods, and they are not deleted."""
        return str(key[1]) in self._rows_by_id[FIELDS[str(key[0])]]

    def label(self, key: Key) -> str:
        """The goods in words, such as `product type 'Books'`."""
        reference, row_id = map(str, key)
        return f"{RuleReference(reference).label} '{self._rows_by_id[FIELDS[reference]].get(row_id) or row_id}'"
