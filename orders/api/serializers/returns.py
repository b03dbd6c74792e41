"""Returns of orders."""

from functools import partial

from rest_framework import serializers

from kit.reads.declarations.computed import ConstantField, MoneyValue, RowField
from kit.reads.declarations.fields import ResourceSerializer, ResourceSerializerClass, ToMany, ToOne
from kit.reads.declarations.records import DatedSerializer, MetadataSerializer, RecordSerializer
from kit.rest.responses.answers import DeletedSerializer
from orders.api.serializers.charges import OrderShippingMethodSerializer
from orders.api.serializers.items import OrderLineItemSerializer
from orders.api.serializers.return_reasons import ReturnReasonSerializer
from orders.common.change_ids import known_as
from orders.models import Return, ReturnItem
from orders.states import ChangeKind, ReturnStatus


def _item() -> ResourceSerializerClass:
    return ReturnItemSerializer


def _counted_item() -> ResourceSerializerClass:
    return AdminReturnItemSerializer


def _reason() -> ResourceSerializerClass:
    return ReturnReasonSerializer


def _shipping_method() -> ResourceSerializerClass:
    return OrderShippingMethodSerializer


def _line() -> ResourceSerializerClass:
    return OrderLineItemSerializer


class ReturnItemSerializer(MetadataSerializer, DatedSerializer):
    """Units of a line in a return."""

    id = serializers.CharField()
    return_id = serializers.CharField(source="of_return_id")
    item_id = serializers.CharField(help_text="The order's line.")
    quantity = serializers.IntegerField()
    received_quantity = serializers.IntegerField(help_text="Received units that are undamaged.")
    damaged_quantity = serializers.IntegerField(help_text="Received units that are damaged.")
    reason_id = serializers.CharField(allow_null=True)
    note = serializers.CharField(allow_null=True)
    reason = ToOne(_reason, key="reason_id", allow_null=True)
    item = ToOne(_line, key="item_id")

    class Meta:
        model = ReturnItem


class AdminReturnItemSerializer(ReturnItemSerializer):
    """Units of a line in a return, with those that staff have counted."""

    arrived_quantity = serializers.IntegerField(help_text="Counted undamaged, until the receipt is confirmed.")
    arrived_damaged_quantity = serializers.IntegerField(help_text="Counted damaged, until the receipt is confirmed.")


class ReturnStepsSerializer(ResourceSerializer):
    """When the return reached each status; null if it has not."""

    requested_at = serializers.DateTimeField(allow_null=True)
    received_at = serializers.DateTimeField(allow_null=True, help_text="When its last unit was received.")
    canceled_at = serializers.DateTimeField(allow_null=True)


class ReturnColumnsSerializer(ReturnStepsSerializer, RecordSerializer):
    """The columns of a return that its customer sees."""

    id = serializers.CharField()
    order_id = serializers.CharField()
    display_id = serializers.IntegerField(help_text="Counts the returns of the order.")
    status = serializers.ChoiceField(choices=ReturnStatus.values)
    order_version = serializers.IntegerField(help_text="The version of the order when the return was requested.")
    note = serializers.CharField(allow_null=True)


class ReturnSerializer(ReturnColumnsSerializer):
    """Units of an order that the customer returns."""

    items = ToMany(_item, key="of_return_id")
    shipping_methods = ToMany(_shipping_method, key="of_return_id")

    class Meta:
        model = Return


def _of(kind: ChangeKind) -> RowField:
    return RowField(
        serializers.CharField(allow_null=True),
        columns=("change__kind", "change_id"),
        compute=partial(known_as, wanted=kind),
        help_text=f"The {kind} whose units it returns.",
    )


class AdminReturnSerializer(ReturnColumnsSerializer):
    """A return, for staff."""

    location_id = serializers.CharField(allow_null=True, help_text="Where its items are restocked.")
    no_notification = serializers.BooleanField(allow_null=True)
    internal_note = serializers.CharField(allow_null=True)
    created_by = serializers.CharField(allow_null=True, help_text="Null if the customer requested it.")
    refund_amount = ConstantField(
        MoneyValue(allow_null=True), value=None, help_text="Always null: refunds are created separately."
    )
    exchange_id, claim_id = _of(ChangeKind.EXCHANGE), _of(ChangeKind.CLAIM)
    items = ToMany(_counted_item, key="of_return_id")
    shipping_methods = ToMany(_shipping_method, key="of_return_id")

    class Meta:
        model = Return


class DeletedReturnSerializer(DeletedSerializer):
    """The deleted return, and what it was."""

    vars()["return"] = AdminReturnSerializer()  # the name is a keyword
