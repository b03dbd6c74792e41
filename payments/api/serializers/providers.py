"""Who takes payments where a shopper is."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from rest_framework import serializers

from carts.models import Cart
from commerce.projection.computed import Batch, BatchRelation
from commerce.projection.fields import ResourceSerializer, ResourceSerializerClass
from commerce.projection.keyed_rows import KeyedRows
from commerce.shop.models import PaymentProvider


class OfferedProviderSerializer(ResourceSerializer):
    """Who takes payments where the shopper is."""

    id = serializers.CharField()
    is_enabled = serializers.BooleanField(help_text="True: others are not offered.")

    class Meta:
        model = PaymentProvider


def _provider() -> ResourceSerializerClass:
    return OfferedProviderSerializer


def _offered(batch: Batch) -> Sequence[Any]:
    found: dict[str, list[dict[str, Any]]] = {}
    for cart_id, provider_id, is_enabled, deleted_at in _PROVIDERS.read([cart_id for (cart_id,) in batch.rows]):
        if is_enabled and deleted_at is None and provider_id in settings.PAYMENT_PROVIDERS:
            found.setdefault(cart_id, []).append({"id": provider_id, "is_enabled": True})
    return [sorted(found.get(cart_id, []), key=lambda each: each["id"]) for (cart_id,) in batch.rows]


_THERE = "region__payment_providers"
_PROVIDERS = KeyedRows(
    Cart.objects.all, key="id", columns=("id", f"{_THERE}__id", f"{_THERE}__is_enabled", f"{_THERE}__deleted_at")
)
OFFERED_FOR_CART = BatchRelation(
    _provider, columns=("cart_id",), load=_offered, many=True, help_text="Those of the cart's region."
)
