"""Who takes payments where carts are: enabled in the cart's region, switched on, and named by settings."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.conf import settings

from carts.models import Cart
from commerce.kit.projection.keyed_rows import KeyedRows


def offered_for(cart_ids: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """The providers' ids in their order, by cart. One statement."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for row in _PROVIDERS.read(cart_ids):
        if row.is_enabled and row.deleted_at is None and row.provider_id in settings.PAYMENT_PROVIDERS:
            found[row.cart_id].append(row.provider_id)
    return {cart_id: sorted(provider_ids) for cart_id, provider_ids in found.items()}


class _ProviderRow(NamedTuple):
    cart_id: str
    provider_id: str
    is_enabled: bool
    deleted_at: str | None


_THERE = "region__payment_providers"
_PROVIDERS = KeyedRows(
    Cart.objects.all,
    key="id",
    row=_ProviderRow,
    columns=("id", f"{_THERE}__id", f"{_THERE}__is_enabled", f"{_THERE}__deleted_at"),
)
