"""Edits of orders as programs read them, with the fields of other changes of orders."""

import orjson
from django.db.models import F
from django.db.models.functions import Coalesce
from rest_framework import serializers

from kit.reads.declarations.computed import ConstantField, MoneyValue, RowField, SqlField
from kit.reads.declarations.fields import ResourceSerializer, ResourceSerializerClass, ToMany, ToOne
from kit.reads.declarations.records import RecordSerializer
from kit.reads.plans.rows import json_number
from kit.values.money import major
from orders.api.serializers.admin_orders import AdminOrderSerializer
from orders.models import OrderChange, OrderChangeAction
from orders.states import OrderChangeStatus


def _action() -> ResourceSerializerClass:
    return OrderEditActionSerializer


def _amount(units: int | None) -> int | float | None:
    return None if units is None else json_number(major(units))


def _details(
    line_id: str | None, quantity: int | None, before: int, unit_price: int | None, compare_at: int | None
) -> str:
    if line_id is None:
        return "{}"
    return orjson.dumps(
        {
            "reference_id": line_id,
            "quantity": quantity,
            "quantity_diff": (quantity or 0) - before,
            "unit_price": _amount(unit_price),
            "compare_at_unit_price": _amount(compare_at),
        }
    ).decode()


def _reference(action: str) -> str:
    if action.startswith("promotion_"):
        return "promotion"
    return "order_shipping_method" if action.startswith("shipping_") else "line_item"


def _applied(status: str) -> bool:
    return status == OrderChangeStatus.CONFIRMED


class OrderEditActionSerializer(ResourceSerializer):
    """A line that an edit adds or changes, or a shipping method that it adds."""

    id = serializers.CharField()
    order_change_id = serializers.CharField(source="change_id")
    ordering = serializers.IntegerField()
    action = RowField(
        serializers.CharField(),
        columns=("action",),
        compute=str.upper,
        help_text="`ITEM_ADD`, `ITEM_UPDATE` (with a quantity of 0, it removes the line), or `SHIPPING_ADD`.",
    )
    reference = RowField(serializers.CharField(), columns=("action",), compute=_reference)
    reference_id = SqlField(
        serializers.CharField(),
        expression=Coalesce("line_id", "method_id", "code"),
        help_text="The line or shipping method; of one to come, the id that it will have.",
    )
    return_id = ConstantField(serializers.CharField(allow_null=True), value=None)
    details = RowField(
        serializers.DictField(),
        columns=("line_id", "quantity", "quantity_before", "unit_price", "compare_at_unit_price"),
        compute=_details,
        help_text="Of a line: `reference_id`, `quantity`, `quantity_diff`, `unit_price`, `compare_at_unit_price`.",
    )
    amount = MoneyValue(allow_null=True, help_text="Of a shipping method.")
    applied = RowField(serializers.BooleanField(), columns=("change__status",), compute=_applied)
    internal_note = serializers.CharField(allow_null=True)

    class Meta:
        model = OrderChangeAction


class OrderEditSerializer(RecordSerializer):
    """An edit of an order. Nothing of the order changes until it is confirmed."""

    id = serializers.CharField()
    order_id = serializers.CharField()
    return_id = ConstantField(serializers.CharField(allow_null=True), value=None)
    change_type = ConstantField(serializers.CharField(), value="edit")
    status = serializers.ChoiceField(choices=OrderChangeStatus.values)
    version = SqlField(
        serializers.IntegerField(),
        expression=F("order_version") + 1,
        help_text="The version that the order would have after it, if nothing else changed.",
    )
    description = serializers.CharField(allow_null=True)
    internal_note = serializers.CharField(allow_null=True)
    no_notification = serializers.BooleanField(allow_null=True)
    carry_over_promotions = serializers.BooleanField(
        allow_null=True, help_text="Whether the order's promotions apply anew to all lines."
    )
    created_by = serializers.CharField(allow_null=True)
    requested_by = serializers.CharField(allow_null=True)
    requested_at = serializers.DateTimeField(allow_null=True)
    confirmed_by = serializers.CharField(allow_null=True)
    confirmed_at = serializers.DateTimeField(allow_null=True)
    declined_by = ConstantField(serializers.CharField(allow_null=True), value=None)
    declined_at = ConstantField(serializers.DateTimeField(allow_null=True), value=None)
    declined_reason = ConstantField(serializers.CharField(allow_null=True), value=None)
    canceled_by = serializers.CharField(allow_null=True)
    canceled_at = serializers.DateTimeField(allow_null=True)
    exchange_id = ConstantField(serializers.CharField(allow_null=True), value=None)
    exchange = ConstantField(serializers.DictField(allow_null=True), value=None)
    claim_id = ConstantField(serializers.CharField(allow_null=True), value=None)
    claim = ConstantField(serializers.DictField(allow_null=True), value=None)
    order = ToOne(lambda: AdminOrderSerializer, key="order_id")
    return_order = ConstantField(serializers.DictField(allow_null=True), value=None)
    actions = ToMany(_action, key="change_id", order=("ordering",))

    class Meta:
        model = OrderChange
