"""Payment providers."""

from collections.abc import Sequence

from rest_framework import serializers

from kit.reads.declarations.computed import Batch, BatchRelation
from kit.reads.declarations.fields import ResourceSerializer, ResourceSerializerClass
from kit.values.json import JSONObject
from payments.requests.offered_providers import offered_for
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
    offered = offered_for([cart_id for (cart_id,) in batch.rows])
    return [[{"id": each, "is_enabled": True} for each in offered.get(cart_id, ())] for (cart_id,) in batch.rows]


OFFERED_FOR_CART = BatchRelation(
    _provider, columns=("cart_id",), load=_offered, many=True, help_text="The enabled providers of the cart's region."
)
