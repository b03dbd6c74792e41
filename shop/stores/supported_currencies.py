"""The currencies that the store supports: those of its regions and of prices."""

from collections.abc import Callable
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from kit.domain.hooks import Wired
from kit.reads.declarations.computed import Batch
from kit.values.currency_symbols import symbol, symbol_native
from kit.values.json import JSONObject
from kit.values.timestamps import isoformat
from shop.models import Currency, Region, Store

PRICES = Wired[Callable[[], QuerySet[Any]]]("the prices that are not deleted")


def supported_currencies() -> QuerySet[Currency]:
    """By code. `is_default`: whether the currency is that of the default region."""
    regions = Region.objects.not_deleted().filter(currency=OuterRef("pk"))
    prices = PRICES.get()().filter(currency=OuterRef("pk"))
    default = Store.objects.filter(default_region__currency=OuterRef("pk"))
    rows: QuerySet[Currency] = Currency.objects.not_deleted().filter(Exists(regions) | Exists(prices))
    return rows.annotate(is_default=Exists(default)).order_by("code")


def currencies_of_stores(batch: Batch) -> list[list[JSONObject]]:
    """The currencies of each store: a shop has one. One statement."""
    currencies = list(supported_currencies())
    return [[_shown(row, store_id) for row in currencies] for (store_id,) in batch.rows]


def _shown(row: Any, store_id: str) -> JSONObject:
    dates = {"created_at": isoformat(row.created_at), "updated_at": isoformat(row.updated_at), "deleted_at": None}
    symbols = {"symbol": symbol(row.code), "symbol_native": symbol_native(row.code), "rounding": 0}
    currency = {name: getattr(row, name) for name in ("code", "name", "decimal_digits")}
    flags = {name: getattr(row, name) for name in ("is_default", "is_tax_inclusive")}
    own = {"id": f"stocur_{row.code}", "currency_code": row.code, "store_id": store_id, **flags}
    return {**own, **dates, "currency": {**currency, **symbols, **dates}}
