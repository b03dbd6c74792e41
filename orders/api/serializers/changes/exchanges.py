"""Exchanges and claims as programs read them: changes of an order, with what comes back and what goes out."""

from functools import partial
from typing import Any

from django.db.models import F, Q
from rest_framework import serializers

from kit.reads.declarations.computed import ConstantField, MoneyValue, RowField, SqlField
from kit.reads.declarations.fields import ResourceSerializerClass, ToMany, ToOne
from kit.reads.declarations.records import DatedSerializer, MetadataSerializer, RecordSerializer
from orders.api.serializers.admin_orders import AdminOrderLineItemSerializer, AdminOrderSerializer
from orders.api.serializers.changes.edits import RETURN_OF_CHANGE
from orders.api.serializers.returns import AdminReturnItemSerializer, AdminReturnSerializer
from orders.common.change_ids import known_as
from orders.models import OrderChange, OrderChangeAction
from orders.states import ChangeAction, ChangeKind, ClaimReason, ClaimType, OrderChangeStatus

_COMES_BACK = Q(is_written_off=False)


def _known(kind: ChangeKind, *columns: str) -> RowField:
    """The id of the exchange or claim. columns: those of the change's kind and id."""
    return RowField(serializers.CharField(), columns=columns, compute=partial(known_as, wanted=kind))


def _actions(to: ResourceSerializerClass, action: ChangeAction, **terms: Any) -> ToMany:
    return ToMany(lambda: to, key="change_id", order=("ordering",), only=Q(action=action, **terms))


class ChangedUnitsSerializer(MetadataSerializer, DatedSerializer):
    """Units of a line in an exchange or a claim."""

    id = serializers.CharField()
    order_id = SqlField(serializers.CharField(), expression=F("change__order_id"))
    item_id = serializers.CharField(
        source="line_id", help_text="The order's line; of one to send, the id it will have."
    )
    quantity = serializers.IntegerField()
    internal_note = serializers.CharField(allow_null=True)
    item = ToOne(
        lambda: AdminOrderLineItemSerializer, key="line_id", allow_null=True, help_text="Null until it is confirmed."
    )

    class Meta:
        model = OrderChangeAction


class ExchangeItemSerializer(ChangedUnitsSerializer):
    """Units of a variant that an exchange sends out."""

    exchange_id = _known(ChangeKind.EXCHANGE, "change__kind", "change_id")


class ClaimItemSerializer(ChangedUnitsSerializer):
    """Units of a line that a claim writes off, or of a variant that it sends out."""

    claim_id = _known(ChangeKind.CLAIM, "change__kind", "change_id")
    reason = serializers.ChoiceField(
        source="claim_reason", choices=ClaimReason.values, allow_null=True, help_text="Why they are claimed."
    )


class OutboundMethodSerializer(MetadataSerializer, DatedSerializer):
    """A shipping method by which an exchange or a claim sends goods out."""

    id = serializers.CharField(source="method_id", help_text="Of the order's shipping method, once it is confirmed.")
    order_id = SqlField(serializers.CharField(), expression=F("change__order_id"))
    shipping_option_id = serializers.CharField()
    amount = MoneyValue()
    is_tax_inclusive = serializers.BooleanField()
    is_custom_amount = serializers.BooleanField(source="is_custom")
    description = serializers.CharField(allow_null=True)
    internal_note = serializers.CharField(allow_null=True)

    class Meta:
        model = OrderChangeAction


class GoodsChangeSerializer(RecordSerializer):
    """What exchanges and claims have in common."""

    order_id = serializers.CharField()
    return_id = SqlField(
        serializers.CharField(allow_null=True),
        expression=RETURN_OF_CHANGE,
        help_text="The return of what comes back, which is made once it is confirmed.",
    )
    display_id = serializers.IntegerField(help_text="Counts those of the order.")
    status = serializers.ChoiceField(choices=OrderChangeStatus.values)
    order_version = serializers.IntegerField(help_text="The version of the order when it was begun.")
    description = serializers.CharField(allow_null=True)
    internal_note = serializers.CharField(allow_null=True)
    no_notification = serializers.BooleanField(allow_null=True)
    created_by = serializers.CharField(allow_null=True)
    confirmed_at = serializers.DateTimeField(allow_null=True)
    canceled_at = serializers.DateTimeField(allow_null=True)
    transactions = ConstantField(
        serializers.ListField(child=serializers.DictField()), value=[], help_text="Always empty: money is the order's."
    )
    shipping_methods = _actions(OutboundMethodSerializer, ChangeAction.SHIPPING_ADD, is_inbound=False)
    order = ToOne(lambda: AdminOrderSerializer, key="order_id")
    vars()["return"] = ToOne(  # the name is a keyword
        lambda: AdminReturnSerializer, key="id", far="change_id", only=_COMES_BACK, allow_null=True
    )

    class Meta:
        model = OrderChange


class ExchangeSerializer(GoodsChangeSerializer):
    """Units of an order that come back, and others that go out for them."""

    id = _known(ChangeKind.EXCHANGE, "kind", "id")
    difference_due = SqlField(
        MoneyValue(allow_null=True),
        expression=F("total_after") - F("total_before"),
        help_text="What it made due, less what comes back; negative for what is owed to the customer. Null until "
        "it is confirmed.",
    )
    additional_items = _actions(ExchangeItemSerializer, ChangeAction.ITEM_ADD)
    return_items = ToMany(
        lambda: AdminReturnItemSerializer,
        key="of_return__change_id",
        only=Q(of_return__is_written_off=False),
        help_text="Empty until it is confirmed.",
    )


class ClaimSerializer(GoodsChangeSerializer):
    """Faulty or missing units of an order, and what the customer gets for them."""

    id = _known(ChangeKind.CLAIM, "kind", "id")
    type = serializers.ChoiceField(source="claim_type", choices=ClaimType.values)
    reason_id = serializers.CharField(allow_null=True)
    refund_amount = ConstantField(
        MoneyValue(allow_null=True), value=None, help_text="Always null: refunds are created separately."
    )
    additional_items = _actions(ClaimItemSerializer, ChangeAction.ITEM_ADD)
    claim_items = _actions(ClaimItemSerializer, ChangeAction.WRITE_OFF_ITEM)
