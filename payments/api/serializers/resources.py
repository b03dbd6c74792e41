"""Payment collections, sessions, payments, captures and refunds."""

from collections.abc import Sequence

from rest_framework import serializers

from kit.reads.declarations.computed import Batch, BatchField, MoneyValue
from kit.reads.declarations.fields import ResourceSerializer, ResourceSerializerClass, ToMany, ToOne
from kit.reads.declarations.records import DatedSerializer, MetadataSerializer
from kit.rest.requests.input_fields import CharField, DictField
from kit.rest.requests.inputs import Input
from kit.values.json import JSONObject
from payments.api.serializers.providers import OFFERED_PROVIDERS
from payments.api.serializers.refund_reasons import RefundReasonSerializer
from payments.models import Capture, Payment, PaymentCollection, PaymentSession, Refund
from payments.providers.registry import shown_data
from payments.states import CollectionStatus, SessionStatus


def _collection() -> ResourceSerializerClass:
    return PaymentCollectionSerializer


def _session() -> ResourceSerializerClass:
    return PaymentSessionSerializer


def _payment() -> ResourceSerializerClass:
    return PaymentSerializer


def _capture() -> ResourceSerializerClass:
    return CaptureSerializer


def _refund() -> ResourceSerializerClass:
    return RefundSerializer


def _refund_reason() -> ResourceSerializerClass:
    return RefundReasonSerializer


def _to_staff(column: str) -> BatchField:
    """A text column that only staff see; null for storefronts.

    Why: docs/decisions/payments.md#storefronts-see-what-providers-call-public.
    """
    field = serializers.CharField(allow_null=True, help_text="Null unless the caller is staff.")
    return BatchField(field, columns=(column,), load=_shown_to_staff)


def _shown_to_staff(batch: Batch) -> Sequence[str | None]:
    return [value if batch.actor.is_trusted else None for (value,) in batch.rows]


class RefundSerializer(ResourceSerializer):
    """A refund of a payment."""

    id = serializers.CharField()
    refund_reason_id = serializers.CharField(allow_null=True)
    note = _to_staff("note")
    created_by = _to_staff("created_by")
    amount = MoneyValue()
    created_at = serializers.DateTimeField()
    payment = ToOne(_payment, key="payment_id")
    refund_reason = ToOne(_refund_reason, key="refund_reason_id", allow_null=True)

    class Meta:
        model = Refund


class CaptureSerializer(ResourceSerializer):
    """A capture of a payment."""

    id = serializers.CharField()
    created_by = _to_staff("created_by")
    amount = MoneyValue()
    created_at = serializers.DateTimeField()
    payment = ToOne(_payment, key="payment_id")

    class Meta:
        model = Capture


def _nothing(batch: Batch) -> Sequence[JSONObject]:
    return [{} for _ in batch.rows]


class PaymentSerializer(DatedSerializer):
    """A payment that a provider has authorized."""

    id = serializers.CharField()
    currency_code = serializers.CharField(source="currency_id")
    provider_id = serializers.CharField()
    amount = MoneyValue()
    authorized_amount = MoneyValue()
    captured_amount = MoneyValue()
    refunded_amount = MoneyValue()
    data = BatchField(  # type: ignore[assignment]  # DRF's own word too
        serializers.DictField(help_text="Always empty: provider data is not exposed."),
        columns=("id",),
        load=_nothing,
    )
    captured_at = serializers.DateTimeField(allow_null=True)
    canceled_at = serializers.DateTimeField(allow_null=True)
    captures = ToMany(_capture, key="payment_id", inverse="payment")
    refunds = ToMany(_refund, key="payment_id", inverse="payment")
    payment_collection = ToOne(_collection, key="collection_id")
    payment_session = ToOne(_session, key="session_id")

    class Meta:
        model = Payment


def _public_data(batch: Batch) -> Sequence[JSONObject]:
    return [shown_data(provider_id, data) for provider_id, data in batch.rows]


def _own_context(batch: Batch) -> Sequence[JSONObject]:
    """The customer of the session, shown to that customer only."""
    own: JSONObject = {"id": batch.actor.id}
    is_customer = batch.actor.type == "customer"
    return [{"customer": own} if is_customer and context.get("customer") == own else {} for (context,) in batch.rows]


class PaymentSessionSerializer(ResourceSerializer):
    """An attempt to pay through one provider."""

    id = serializers.CharField()
    provider_id = serializers.CharField()
    amount = MoneyValue()
    currency_code = serializers.CharField(source="currency_id")
    data = BatchField(  # type: ignore[assignment]  # DRF's own word too
        serializers.DictField(help_text="The public part of the provider data."),
        columns=("provider_id", "data"),
        load=_public_data,
    )
    context = BatchField(  # type: ignore[assignment]  # DRF's own word too
        serializers.DictField(help_text='`{"customer": {"id": …}}` for the customer of the cart; otherwise empty.'),
        columns=("context",),
        load=_own_context,
    )
    status = serializers.ChoiceField(choices=SessionStatus.values)
    authorized_at = serializers.DateTimeField(allow_null=True)
    payment_collection = ToOne(_collection, key="collection_id")
    payment = ToOne(_payment, key="id", far="session_id", inverse="payment_session", allow_null=True)

    class Meta:
        model = PaymentSession


class PaymentCollectionSerializer(MetadataSerializer, DatedSerializer):
    """The amount that remains to be paid for a cart, with the attempts to pay it."""

    id = serializers.CharField()
    currency_code = serializers.CharField(source="currency_id")
    amount = MoneyValue()
    authorized_amount = MoneyValue()
    captured_amount = MoneyValue()
    refunded_amount = MoneyValue()
    completed_at = serializers.DateTimeField(allow_null=True)
    status = serializers.ChoiceField(choices=CollectionStatus.values)
    payment_providers = OFFERED_PROVIDERS
    payment_sessions = ToMany(_session, key="collection_id", inverse="payment_collection")
    payments = ToMany(_payment, key="collection_id", inverse="payment_collection")

    class Meta:
        model = PaymentCollection


PAYMENT_COLLECTION_OF_CART = ToOne(_collection, key="payment_collection_id", allow_null=True)
"""The relation that the cart's serializer gets."""


class PaymentCollectionInput(Input):
    """The cart to pay for."""

    cart_id = CharField()


class PaymentSessionInput(Input):
    """The provider to pay with, and data for it."""

    provider_id = CharField()
    data = DictField(  # type: ignore[assignment]  # DRF's own word too
        required=False, allow_null=True, help_text="Data for the provider."
    )
