"""Edits, exchanges and claims as changes of their order, with the fields of its other changes."""

from functools import partial
from typing import Any, NamedTuple

import orjson
from django.db.models import Case, Exists, F, OuterRef, Value, When
from django.db.models.functions import Coalesce, Concat, Substr
from rest_framework import serializers

from kit.reads.declarations.computed import ConstantField, MoneyValue, RowField, SqlField
from kit.reads.declarations.fields import ResourceSerializer, ResourceSerializerClass, ToMany, ToOne
from kit.reads.declarations.records import RecordSerializer
from kit.reads.plans.rows import json_number
from kit.values.money import major
from orders.api.serializers.admin_orders import AdminOrderSerializer
from orders.common.change_ids import known_as, return_id_of
from orders.common.open_changes import BRINGS_BACK
from orders.models import OrderChange, OrderChangeAction
from orders.states import ChangeAction, ChangeKind, OrderChangeStatus


def _action() -> ResourceSerializerClass:
    return OrderEditActionSerializer


def _amount(units: int | None) -> int | float | None:
    return None if units is None else json_number(major(units))


class _LineAction(NamedTuple):
    action: str
    change_id: str
    line_id: str | None
    quantity: int | None
    quantity_before: int
    unit_price: int | None
    compare_at_unit_price: int | None
    reason_id: str | None
    claim_reason: str | None


def _details(*columns: Any) -> str:
    row = _LineAction(*columns)
    if row.line_id is None:
        return "{}"
    told: dict[str, object] = {"reference_id": row.line_id, "quantity": row.quantity}
    if row.action == ChangeAction.RETURN_ITEM:
        told |= {"return_id": return_id_of(row.change_id), "reason_id": row.reason_id}
    elif row.action == ChangeAction.WRITE_OFF_ITEM:
        told |= {"reason": row.claim_reason, "reason_id": row.reason_id}
    else:
        told |= {
            "quantity_diff": (row.quantity or 0) - row.quantity_before,
            "unit_price": _amount(row.unit_price),
            "compare_at_unit_price": _amount(row.compare_at_unit_price),
        }
    return orjson.dumps(told).decode()


def _reference(action: str) -> str:
    if action.startswith("promotion_"):
        return "promotion"
    return "order_shipping_method" if action.startswith("shipping_") else "line_item"


def _of(kind: ChangeKind, *columns: str) -> RowField:
    """The id of the exchange or claim that the change is. columns: those of the change's kind and id."""
    return RowField(
        serializers.CharField(allow_null=True),
        columns=columns,
        compute=partial(known_as, wanted=kind),
        help_text=f"The {kind} that the change is.",
    )


def _returned_by(action: str, is_inbound: bool, change_id: str) -> str | None:
    return return_id_of(change_id) if is_inbound or action == ChangeAction.RETURN_ITEM else None


def _applied(status: str) -> bool:
    return status == OrderChangeStatus.CONFIRMED


RETURN_OF_CHANGE = Case(
    When(
        Exists(OrderChangeAction.objects.filter(BRINGS_BACK, change=OuterRef("pk"))),
        then=Concat(Value("return_"), Substr("id", len("ordch_") + 1)),
    ),
    default=Value(None),
)


class OrderEditActionSerializer(ResourceSerializer):
    """A line that a change adds, changes, returns or writes off, or a shipping method that it adds."""

    id = serializers.CharField()
    order_change_id = serializers.CharField(source="change_id")
    ordering = serializers.IntegerField()
    action = RowField(
        serializers.CharField(),
        columns=("action",),
        compute=str.upper,
        help_text="`ITEM_ADD`, `ITEM_UPDATE` (with a quantity of 0, it removes the line), `SHIPPING_ADD`, and of "
        "exchanges and claims `RETURN_ITEM` and `WRITE_OFF_ITEM`.",
    )
    reference = RowField(serializers.CharField(), columns=("action",), compute=_reference)
    reference_id = SqlField(
        serializers.CharField(),
        expression=Coalesce("line_id", "method_id", "code"),
        help_text="The line or shipping method; of one to come, the id that it will have.",
    )
    return_id = RowField(
        serializers.CharField(allow_null=True),
        columns=("action", "is_inbound", "change_id"),
        compute=_returned_by,
        help_text="The return that it is for, which an exchange or a claim makes once it is confirmed.",
    )
    exchange_id = _of(ChangeKind.EXCHANGE, "change__kind", "change_id")
    claim_id = _of(ChangeKind.CLAIM, "change__kind", "change_id")
    details = RowField(
        serializers.DictField(),
        columns=_LineAction._fields,
        compute=_details,
        help_text="Of a line: `reference_id`, `quantity`, `quantity_diff`, `unit_price`, `compare_at_unit_price`; of "
        "returned units `return_id` and `reason_id`, of those written off `reason`.",
    )
    amount = MoneyValue(allow_null=True, help_text="Of a shipping method.")
    applied = RowField(serializers.BooleanField(), columns=("change__status",), compute=_applied)
    internal_note = serializers.CharField(allow_null=True)

    class Meta:
        model = OrderChangeAction


class OrderEditSerializer(RecordSerializer):
    """An edit, an exchange or a claim. Nothing of the order changes until it is confirmed."""

    id = serializers.CharField()
    order_id = serializers.CharField()
    return_id = SqlField(
        serializers.CharField(allow_null=True),
        expression=RETURN_OF_CHANGE,
        help_text="The return of an exchange or claim, which is made once that is confirmed.",
    )
    change_type = serializers.ChoiceField(source="kind", choices=ChangeKind.values)
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
    exchange_id = _of(ChangeKind.EXCHANGE, "kind", "id")
    exchange = ConstantField(serializers.DictField(allow_null=True), value=None)
    claim_id = _of(ChangeKind.CLAIM, "kind", "id")
    claim = ConstantField(serializers.DictField(allow_null=True), value=None)
    order = ToOne(lambda: AdminOrderSerializer, key="order_id")
    return_order = ConstantField(serializers.DictField(allow_null=True), value=None)
    actions = ToMany(_action, key="change_id", order=("ordering",))

    class Meta:
        model = OrderChange
