"""Who takes payments where carts are: enabled in the cart's region, switched on, and named by settings."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from django.conf import settings

from carts.models import Cart
from commerce.kit.projection.keyed_rows import KeyedRows


def offered_for(cart_ids: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """The providers' ids in their order, by cart. One statement."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for cart_id, provider_id, is_enabled, deleted_at in _PROVIDERS.read(cart_ids):
        if is_enabled and deleted_at is None and provider_id in settings.PAYMENT_PROVIDERS:
            found[cart_id].append(provider_id)
    return {cart_id: sorted(provider_ids) for cart_id, provider_ids in found.items()}


_THERE = "region__payment_providers"
_PROVIDERS = KeyedRows(
    Cart.objects.all, key="id", columns=("id", f"{_THERE}__id", f"{_THERE}__is_enabled", f"{_THERE}__deleted_at")
)
