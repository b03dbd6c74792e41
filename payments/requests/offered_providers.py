"""The providers that a cart can use: enabled, assigned to its region, and named by settings."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.conf import settings

from carts.models import Cart
from kit.reads.sql.keyed_rows import KeyedRows


def offered_for(cart_ids: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """The sorted ids of the providers, by cart. One statement."""
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


_PROVIDER = "region__payment_providers"
_PROVIDERS = KeyedRows(
    Cart.objects.all,
    key="id",
    row=_ProviderRow,
    columns=("id", f"{_PROVIDER}__id", f"{_PROVIDER}__is_enabled", f"{_PROVIDER}__deleted_at"),
)
