"""Gift cards."""

from collections.abc import Callable, Sequence

from rest_framework import serializers

from customers.api.serializers import CustomerSerializer
from giftcards.models import GiftCard
from giftcards.states import CardStatus
from kit.reads.declarations.computed import Batch, BatchField, MoneyValue
from kit.reads.declarations.fields import ResourceSerializerClass, ToOne
from kit.reads.declarations.records import DatedSerializer


def _customer() -> ResourceSerializerClass:
    return CustomerSerializer


def _for_its_customer(column: str, output_field: serializers.CharField | serializers.DictField) -> BatchField:
    """A column that only the card's customer and staff see; null for others.

    Why: docs/decisions/gift-cards.md#a-card-shows-its-details-to-its-customer-only.
    """
    return BatchField(output_field, columns=("customer_id", column), load=_shown_to_its_customer)


def _shown_to_its_customer(batch: Batch) -> Sequence[object]:
    is_shown = _rule(batch)
    return [value if is_shown(customer_id) else None for customer_id, value in batch.rows]


def _rule(batch: Batch) -> Callable[[str | None], bool]:
    """Whether the actor may see the private fields of a card, by the card's customer."""
    actor = batch.actor
    if actor.may("giftcards.view_giftcard"):
        return lambda customer_id: True
    return lambda customer_id: customer_id is not None and (actor.type, actor.id) == ("customer", customer_id)


class GiftCardSerializer(DatedSerializer):
    """An amount that anyone with the code can redeem as store credit, once."""

    id = serializers.CharField()
    code = serializers.CharField()
    status = serializers.ChoiceField(choices=CardStatus.values)
    value = MoneyValue()
    currency_code = serializers.CharField(source="currency_id")
    customer_id = _for_its_customer("customer_id", serializers.CharField(allow_null=True))
    reference_id = _for_its_customer("reference_id", serializers.CharField(allow_null=True))
    reference = _for_its_customer("reference", serializers.CharField(allow_null=True))
    note = _for_its_customer("note", serializers.CharField(allow_null=True))
    expires_at = serializers.DateTimeField(allow_null=True)
    metadata = _for_its_customer("metadata", serializers.DictField(allow_null=True))
    customer = ToOne(_customer, key="customer_id", allow_null=True)

    class Meta:
        model = GiftCard
        by_request = frozenset({"metadata"})
