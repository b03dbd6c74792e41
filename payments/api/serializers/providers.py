"""Payment providers."""

from collections.abc import Sequence

from rest_framework import serializers

from kit.reads.declarations.computed import Batch, BatchRelation
from kit.reads.declarations.fields import ResourceSerializer, ResourceSerializerClass
from kit.values.json import JSONObject
from payments.requests.offered_providers import offered_for, offered_for_orders
from shop.models import PaymentProvider


class OfferedProviderSerializer(ResourceSerializer):
    """A payment provider that the shopper can choose."""

    id = serializers.CharField()
    is_enabled = serializers.BooleanField(help_text="Always true: disabled providers are not listed.")

    class Meta:
        model = PaymentProvider


def _provider() -> ResourceSerializerClass:
    return OfferedProviderSerializer


def _offered(batch: Batch) -> Sequence[Sequence[JSONObject]]:
    offered = dict(offered_for([cart_id for cart_id, _ in batch.rows if cart_id is not None]))
    if without_cart := [order_id for cart_id, order_id in batch.rows if cart_id is None]:
        offered |= offered_for_orders(without_cart)
    found = [offered.get(cart_id or order_id, ()) for cart_id, order_id in batch.rows]
    return [[{"id": each, "is_enabled": True} for each in provider_ids] for provider_ids in found]


OFFERED_PROVIDERS = BatchRelation(
    _provider,
    columns=("cart_id", "order_id"),
    load=_offered,
    many=True,
    help_text="The enabled providers of the cart's region.",
)
