"""What is to be paid, the attempts to pay it, and the money that was promised, taken and given back."""

from collections.abc import Sequence
from typing import Any

from rest_framework import serializers

from carts.models import Cart
from commerce.projection.computed import Batch, BatchField, BatchRelation, MoneyValue
from commerce.projection.fields import ResourceSerializer, ResourceSerializerClass, ToMany, ToOne
from commerce.projection.keyed_rows import KeyedRows
from commerce.projection.records import DatedSerializer, MetadataSerializer
from commerce.shop.api.serializers import PaymentProviderSerializer
from commerce.shop.models import PaymentProvider
from payments.models import Capture, Payment, PaymentCollection, PaymentSession, Refund, RefundReason
from payments.providers.known import shown_data
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


def _provider() -> ResourceSerializerClass:
    return OfferedProviderSerializer


def _to_staff(column: str) -> BatchField:
    """A text of the column that storefronts see as null. Source: behaviour.md 0.20."""
    field = serializers.CharField(allow_null=True, help_text="Null for all but staff.")
    return BatchField(field, columns=(column,), load=_shown_to_staff)


def _shown_to_staff(batch: Batch) -> Sequence[str | None]:
    return [value if batch.actor.is_trusted else None for (value,) in batch.rows]


class OfferedProviderSerializer(PaymentProviderSerializer):
    """Who takes payments where the shopper is."""

    is_enabled = serializers.BooleanField(help_text="True: others are not offered.")

    class Meta:
        model = PaymentProvider


class RefundReasonSerializer(MetadataSerializer, DatedSerializer):
    """Why money goes back."""

    id = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # DRF's own word too
    description = serializers.CharField(allow_null=True)
    code = serializers.CharField()

    class Meta:
        model = RefundReason


class RefundSerializer(ResourceSerializer):
    """Money that was given back."""

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
    """Money that was taken."""

    id = serializers.CharField()
    created_by = _to_staff("created_by")
    amount = MoneyValue()
    created_at = serializers.DateTimeField()
    payment = ToOne(_payment, key="payment_id")

    class Meta:
        model = Capture


def _nothing(batch: Batch) -> Sequence[dict[str, Any]]:
    return [{} for _ in batch.rows]


class PaymentSerializer(DatedSerializer):
    """What a session has become once its provider has promised the money."""

    id = serializers.CharField()
    currency_code = serializers.CharField(source="currency_id")
    provider_id = serializers.CharField()
    amount = MoneyValue()
    authorized_amount = MoneyValue()
    captured_amount = MoneyValue()
    refunded_amount = MoneyValue()
    data = BatchField(  # type: ignore[assignment]  # DRF's own word too
        serializers.DictField(help_text="Empty: what the provider keeps is the shop's own."),
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


def _public_data(batch: Batch) -> Sequence[Any]:
    return [shown_data(provider_id, data) for provider_id, data in batch.rows]


def _own_context(batch: Batch) -> Sequence[dict[str, Any]]:
    """Whose it is, for nobody else. Source: behaviour.md 0.20."""
    own = {"id": batch.actor.id}
    is_customer = batch.actor.type == "customer"
    return [{"customer": own} if is_customer and context.get("customer") == own else {} for (context,) in batch.rows]


class PaymentSessionSerializer(ResourceSerializer):
    """An attempt to pay, through one provider."""

    id = serializers.CharField()
    provider_id = serializers.CharField()
    amount = MoneyValue()
    currency_code = serializers.CharField(source="currency_id")
    data = BatchField(  # type: ignore[assignment]  # DRF's own word too
        serializers.DictField(help_text="What the provider lets storefronts know."),
        columns=("provider_id", "data"),
        load=_public_data,
    )
    context = BatchField(  # type: ignore[assignment]  # DRF's own word too
        serializers.DictField(help_text='`{"customer": {"id": …}}` for the customer whose it is; else empty.'),
        columns=("context",),
        load=_own_context,
    )
    status = serializers.ChoiceField(choices=SessionStatus.values)
    authorized_at = serializers.DateTimeField(allow_null=True)
    payment_collection = ToOne(_collection, key="collection_id")
    payment = ToOne(_payment, key="id", far="session_id", inverse="payment_session", allow_null=True)

    class Meta:
        model = PaymentSession


def _enabled_providers(batch: Batch) -> Sequence[Any]:
    found: dict[str, list[dict[str, Any]]] = {}
    for cart_id, provider_id, is_enabled, deleted_at in _PROVIDERS.read([cart_id for (cart_id,) in batch.rows]):
        if is_enabled and deleted_at is None:
            found.setdefault(cart_id, []).append({"id": provider_id, "is_enabled": True})
    return [sorted(found.get(cart_id, []), key=lambda each: each["id"]) for (cart_id,) in batch.rows]


class PaymentCollectionSerializer(MetadataSerializer, DatedSerializer):
    """What a cart has left to pay, and how far that has come."""

    id = serializers.CharField()
    currency_code = serializers.CharField(source="currency_id")
    amount = MoneyValue()
    authorized_amount = MoneyValue()
    captured_amount = MoneyValue()
    refunded_amount = MoneyValue()
    completed_at = serializers.DateTimeField(allow_null=True)
    status = serializers.ChoiceField(choices=CollectionStatus.values)
    payment_providers = BatchRelation(
        _provider, columns=("cart_id",), load=_enabled_providers, many=True, help_text="Those of the cart's region."
    )
    payment_sessions = ToMany(_session, key="collection_id", inverse="payment_collection")
    payments = ToMany(_payment, key="collection_id", inverse="payment_collection")

    class Meta:
        model = PaymentCollection


PAYMENT_COLLECTION_OF_CART = ToOne(_collection, key="payment_collection_id", allow_null=True)
"""What a cart's own serializer is given of it."""
_THERE = "region__payment_providers"
_PROVIDERS = KeyedRows(
    Cart.objects.all, key="id", columns=("id", f"{_THERE}__id", f"{_THERE}__is_enabled", f"{_THERE}__deleted_at")
)
