"""Changes of orders as programs list them: the requests of their returns. Edits have the same fields.

Why: docs/decisions/returns.md#changes-of-an-order-are-its-return-requests.
"""

import orjson
from django.db.models import Case, CharField, Value, When
from rest_framework import serializers

from kit.reads.declarations.computed import ConstantField, RowField, SqlField
from kit.reads.declarations.fields import ResourceSerializer, ResourceSerializerClass, ToMany, ToOne
from kit.reads.declarations.records import RecordSerializer
from orders.api.serializers.admin_orders import AdminOrderSerializer
from orders.api.serializers.returns import AdminReturnSerializer
from orders.common.open_changes import action_id, change_id
from orders.models import Return, ReturnItem
from orders.states import OrderChangeStatus, ReturnStatus

CHANGE_STATUS = Case(
    When(status=ReturnStatus.OPEN, then=Value(OrderChangeStatus.PENDING.value)),
    When(status=ReturnStatus.CANCELED, then=Value(OrderChangeStatus.CANCELED.value)),
    default=Value(OrderChangeStatus.CONFIRMED.value),
    output_field=CharField(),
)


def _details(return_id: str, quantity: int, reason_id: str | None) -> str:
    return orjson.dumps({"return_id": return_id, "quantity": quantity, "reason_id": reason_id}).decode()


def _action() -> ResourceSerializerClass:
    return OrderChangeActionSerializer


def _nothing() -> ConstantField:
    return ConstantField(serializers.DictField(allow_null=True), value=None, help_text="Always null.")


def _no_id() -> ConstantField:
    return ConstantField(serializers.CharField(allow_null=True), value=None, help_text="Always null.")


class OrderChangeActionSerializer(ResourceSerializer):
    """Units of a line that a change returns."""

    id = RowField(serializers.CharField(), columns=("id",), compute=action_id)
    action = ConstantField(serializers.CharField(), value="RETURN_ITEM")
    reference = ConstantField(serializers.CharField(), value="line_item")
    reference_id = serializers.CharField(source="item_id", help_text="The order's line.")
    return_id = serializers.CharField(source="of_return_id")
    details = RowField(
        serializers.DictField(),
        columns=("of_return_id", "quantity", "reason_id"),
        compute=_details,
        help_text="`return_id`, `quantity` and `reason_id`.",
    )
    internal_note = serializers.CharField(source="note", allow_null=True)

    class Meta:
        model = ReturnItem


class OrderChangeSerializer(RecordSerializer):
    """A change of an order: the request of a return."""

    id = RowField(serializers.CharField(), columns=("id",), compute=change_id)
    order_id = serializers.CharField()
    return_id = serializers.CharField(source="id")
    change_type = ConstantField(serializers.CharField(), value="return_request")
    status = SqlField(
        serializers.ChoiceField(choices=OrderChangeStatus.values),
        expression=CHANGE_STATUS,
        help_text="`pending` while staff prepare the return, then `confirmed`, `canceled` if the return is canceled.",
    )
    version = serializers.IntegerField(
        source="order_version", help_text="The version of the order when the return was requested."
    )
    description = serializers.CharField(source="note", allow_null=True)
    internal_note = serializers.CharField(allow_null=True)
    no_notification = serializers.BooleanField(allow_null=True)
    carry_over_promotions = ConstantField(serializers.BooleanField(allow_null=True), value=None)
    created_by = serializers.CharField(allow_null=True, help_text="Null if the customer requested it.")
    requested_by = serializers.CharField(source="created_by", allow_null=True)
    requested_at = serializers.DateTimeField(allow_null=True)
    confirmed_by = serializers.CharField(source="created_by", allow_null=True)
    confirmed_at = serializers.DateTimeField(source="requested_at", allow_null=True)
    declined_by = ConstantField(serializers.CharField(allow_null=True), value=None)
    declined_at = ConstantField(serializers.DateTimeField(allow_null=True), value=None)
    declined_reason = ConstantField(serializers.CharField(allow_null=True), value=None)
    canceled_by = serializers.CharField(allow_null=True)
    canceled_at = serializers.DateTimeField(allow_null=True)
    exchange_id, exchange = _no_id(), _nothing()
    claim_id, claim = _no_id(), _nothing()
    order = ToOne(
        lambda: AdminOrderSerializer, key="order_id", allow_null=True, help_text="Null to those who may not view it."
    )
    return_order = ToOne(lambda: AdminReturnSerializer, key="id", help_text="The return that it requests.")
    actions = ToMany(_action, key="of_return_id")

    class Meta:
        model = Return
