"""The providers that a cart or an order can use: enabled, assigned to its region, and named by settings.

An order has the region of its cart, which stays as long as the order's first collection.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.conf import settings

from carts.models import Cart
from kit.reads.sql.keyed_rows import KeyedRows
from payments.providers.registry import is_local, payment_form


def offered_for(cart_ids: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """The sorted ids of the providers, by cart. One statement."""
    return _usable(_OF_CARTS.read(cart_ids))


def offered_for_orders(order_ids: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """The same by order. One statement."""
    return _usable(_OF_ORDERS.read(order_ids))


def offered_to(cart_id: str | None, order_id: str | None) -> Sequence[str]:
    """Those of a collection: of its cart, else of its order. One statement."""
    found = offered_for_orders([order_id or ""]) if cart_id is None else offered_for([cart_id])
    return next(iter(found.values()), ())


def offered_by_link(order_id: str) -> Sequence[str]:
    """Those by which a link has the order paid: never one that agrees to everything. One statement.

    The storefront's page takes every other one, our own those that have a form for it.
    """
    offered = [each for each in offered_to(None, order_id) if not is_local(each)]
    return [each for each in offered if settings.PAYMENT_PAGE or payment_form(each, {}) is not None]


def _usable(rows: "Sequence[_ProviderRow]") -> Mapping[str, Sequence[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for row in rows:
        if row.is_enabled and row.deleted_at is None and row.provider_id in settings.PAYMENT_PROVIDERS:
            found[row.owner_id].append(row.provider_id)
    return {owner_id: sorted(provider_ids) for owner_id, provider_ids in found.items()}


class _ProviderRow(NamedTuple):
    owner_id: str
    provider_id: str
    is_enabled: bool
    deleted_at: str | None


_PROVIDER = "region__payment_providers"
_PROVIDER_COLUMNS = (f"{_PROVIDER}__id", f"{_PROVIDER}__is_enabled", f"{_PROVIDER}__deleted_at")
_ORDER = "payment_collection__order_id"
_OF_CARTS = KeyedRows(Cart.objects.all, key="id", row=_ProviderRow, columns=("id", *_PROVIDER_COLUMNS))
_OF_ORDERS = KeyedRows(Cart.objects.all, key=_ORDER, row=_ProviderRow, columns=(_ORDER, *_PROVIDER_COLUMNS))
