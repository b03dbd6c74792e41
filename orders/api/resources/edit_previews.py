"""An order with its open edit, exchange or claim, as if it were confirmed."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from carts.arithmetic.line_totals import LineTotals
from carts.arithmetic.totals import CartTotals
from kit.domain.actor import Actor
from kit.reads.plans.rows import json_number, stored_number
from kit.values.public_address import absolute
from orders.api.resources.edits import STORED_CHANGES
from orders.api.resources.returned_units import count_units
from orders.changes.computation import ComputedLine, ComputedMethod
from orders.changes.effects import effects_of_rows
from orders.changes.moved_units import MovedUnits
from orders.changes.open_change import stored_actions
from orders.models import OrderChange, OrderChangeAction
from orders.states import ChangeAction
from shop.taxes import ApplicableTax

_OF_LINES = (
    *(name for name in LineTotals._fields if name != "tax_lines"),
    *("original_subtotal", "item_total", "item_subtotal", "item_tax_total"),
)
_OF_ORDERS = (
    *(name for name in CartTotals._fields if name != "credit_line_total"),
    *("original_subtotal", "original_item_subtotal", "original_shipping_subtotal"),
)
_ADDING = (ChangeAction.ITEM_ADD, ChangeAction.SHIPPING_ADD)


def apply_change(order: dict[str, Any], change: OrderChange, actor: Actor) -> int:
    """Apply the change to the order: its items, shipping methods, totals and summary. actor: may view the order.

    A removed line stays, with a quantity of 0. What cannot be confirmed any more is left out.
    Returns what the units are worth that it would bring back, in 1/10,000.
    """
    actions = stored_actions(change.pk)
    rows = {row.line_id or row.method_id: row for row in actions if row.action in _ADDING}
    told = STORED_CHANGES.one(change.pk, STORED_CHANGES.single_query({"fields": "*,*actions"}), actor)
    after = effects_of_rows(change, actions)
    lines = {line["id"]: line for line in order["items"]}
    pattern = order["items"][0]
    for each in after.lines:
        if each.is_new:
            order["items"].append(lines.setdefault(each.line.id, _new_line(pattern, rows[each.line.id])))
        if each.is_new or each.is_changed:
            _show_line(lines[each.line.id], each)
    for line in after.removed:
        _remove_line(lines[line.id])
    added = [each for each in after.methods if each.is_new]
    order["shipping_methods"] += [_new_method(each, rows[each.method.id], order["id"]) for each in added]
    requested = _count_units(order, after.units, told["actions"])
    for part in (*order["items"], *order["shipping_methods"]):
        part["actions"] = [action for action in told["actions"] if action["reference_id"] == part["id"]]
    order |= _amounts(after.totals, _OF_ORDERS)
    totals = after.totals
    order["item_discount_total"] = stored_number(totals.original_item_total - totals.item_total)
    order["shipping_discount_total"] = stored_number(totals.original_shipping_total - totals.shipping_total)
    order["summary"] |= dict.fromkeys(("current_order_total", "accounting_total"), order["total"])
    order["summary"]["pending_difference"] = stored_number(after.pending_difference)
    order["order_change"] = told
    return requested


def _count_units(order: dict[str, Any], units: MovedUnits, told: Iterable[dict[str, Any]]) -> int:
    """Count the units that come back, and that are written off. Returns what the former are worth, in 1/10,000.

    The actions of these, and those that add lines, get what it is about as their amount.
    """
    back = count_units(order, units.returned, "return_requested_quantity")
    off = count_units(order, units.written_off, "return_dismissed_quantity", "written_off_quantity")
    worth = {"RETURN_ITEM": back, "WRITE_OFF_ITEM": off}
    totals = {line["id"]: line["total"] for line in order["items"]}
    for each in told:
        if each["action"] in worth:
            each["amount"] = stored_number(worth[each["action"]].get(each["reference_id"], 0))
        elif each["action"] == "ITEM_ADD":
            each["amount"] = totals.get(each["reference_id"])
    return sum(back.values())


def _new_line(pattern: Mapping[str, Any], row: OrderChangeAction) -> dict[str, Any]:
    """A line with the fields of the pattern, from what its action describes."""
    before, thumbnail = row.compare_at_unit_price, row.described["thumbnail"]
    told = {
        **row.described,
        "id": row.line_id,
        "variant_id": row.variant_id,
        "thumbnail": thumbnail and absolute(thumbnail),
        "is_giftcard": False,
        "is_custom_price": row.is_custom,
        "is_tax_inclusive": row.is_tax_inclusive,
        "compare_at_unit_price": before and json_number(before),
        "metadata": row.metadata,
        "line_item_metadata": row.metadata,
        "order_id": pattern["order_id"],
        "tax_lines": _taxes(row, {"item_id": row.line_id}),
        "adjustments": [],
        "detail": {name: 0 if name.endswith("_quantity") else None for name in pattern["detail"]},
    }
    return {name: told.get(name, 0 if name.endswith("_total") else None) for name in pattern}


def _new_method(each: ComputedMethod, row: OrderChangeAction, order_id: str) -> dict[str, Any]:
    method = {
        "id": row.method_id,
        "order_id": order_id,
        "shipping_option_id": row.shipping_option_id,
        "name": row.described["name"],
        "description": row.description,
        "amount": json_number(row.amount or Decimal(0)),
        "is_tax_inclusive": row.is_tax_inclusive,
        "is_custom_amount": row.is_custom,
        "metadata": row.metadata,
        "tax_lines": _taxes(row, {"shipping_method_id": row.method_id}),
        "adjustments": [],
    }
    _show_totals(method, each.method.totals)
    return method


def _taxes(row: OrderChangeAction, owner: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The taxes of what an action adds, without their amounts."""
    named = (ApplicableTax(*tax)._asdict() for tax in row.taxes)
    return [{**tax, **owner, "id": None, "rate": stored_number(tax["rate"])} for tax in named]


def _show_line(line: dict[str, Any], each: ComputedLine) -> None:
    plain = each.line.plain
    line |= {"quantity": plain.quantity, "unit_price": stored_number(plain.unit_price)}
    line["detail"]["quantity"] = plain.quantity
    stored = {adjustment["id"]: adjustment for adjustment in line["adjustments"]}
    line["adjustments"] = [
        {
            **stored.get(discount.id, {"item_id": each.line.id, "description": None, "provider_id": None}),
            "id": discount.id,
            "code": discount.code,
            "promotion_id": discount.promotion_id,
            "amount": stored_number(discount.stored.shown_amount),
            "is_tax_inclusive": discount.stored.includes_tax,
        }
        for discount in each.line.discounts
    ]
    _show_totals(line, each.totals)


def _remove_line(line: dict[str, Any]) -> None:
    """Show the line with a quantity of 0."""
    line |= {"quantity": 0, "tax_lines": [], "adjustments": [], **dict.fromkeys(_OF_LINES, 0)}
    line["detail"]["quantity"] = 0


def _show_totals(part: dict[str, Any], totals: LineTotals) -> None:
    """Show the totals of a line or shipping method, and of its taxes, which are in the order of their ids."""
    part |= _amounts(totals, _OF_LINES)
    taxes = sorted(part["tax_lines"], key=lambda tax: tax["id"] or "")
    for tax, amounts in zip(taxes, totals.tax_lines, strict=True):
        tax.update(_amounts(amounts, ("total", "subtotal")))


def _amounts(totals: object, names: Iterable[str]) -> dict[str, int | float]:
    return {name: stored_number(getattr(totals, name)) for name in names}
