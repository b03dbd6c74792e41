"""Lines of orders: a row for each, with its units, amounts, promotions and taxes by rate."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.db.models import QuerySet

from kit.domain.actor import Actor
from orders.models import OrderAdjustment, OrderLineItem, OrderTaxLine
from orders.reports.export import cells
from orders.reports.export.batches import batches
from orders.reports.export.choice import Choice
from orders.reports.export.columns import CURRENCY, Column, columns, line, of_order
from orders.reports.export.parts import codes, taxes, taxes_by_rate

_ORDER = "order__"
_PARTS = frozenset({"promotions", "taxes"})
COLUMNS = (
    *of_order(_ORDER),
    Column("line_id", cells.text, "id"),
    *columns(cells.text, "product_id", "variant_id", "product_title", "variant_title", "variant_sku"),
    *columns(cells.text, "variant_barcode"),
    *columns(cells.flag, "is_giftcard", "is_tax_inclusive"),
    *columns(cells.number, "quantity", "fulfilled_quantity", "shipped_quantity", "delivered_quantity"),
    *columns(cells.number, "return_requested_quantity", "return_received_quantity", "return_dismissed_quantity"),
    *columns(cells.text, "promotions"),
    Column("currency_code", cells.text, f"{_ORDER}{CURRENCY}"),
    *columns(cells.amount, "unit_price", "subtotal", "discount_total", "tax_total", "total", "placed_total"),
    *columns(cells.text, "taxes"),
)
_READ = ("order_id", *(column.source for column in COLUMNS if column.source not in _PARTS))


def rows(actor: Actor, choice: Choice) -> QuerySet[OrderLineItem]:
    """The lines of the chosen orders that the actor may see."""
    return OrderLineItem.objects.visible_to(actor).filter(choice.condition(_ORDER))


def read(chosen: QuerySet[OrderLineItem]) -> Iterator[list[list[str]]]:
    """Their cells in batches, in the order of their orders' ids and their own. Three statements a batch."""
    for found in batches(chosen, key=("order_id", "id"), columns=_READ):
        yield list(_lines(found))


def _lines(lines: Sequence[Any]) -> Iterator[list[str]]:
    ids = [row.id for row in lines]
    promotions = codes(OrderAdjustment.objects.not_deleted(), by="item_id", ids=ids)
    tax_lines = taxes((OrderTaxLine.objects.not_deleted(), "item_id"), ids=ids)
    for row in lines:
        code = row.order__currency_id
        parts = {
            "promotions": promotions.get(row.id),
            "taxes": taxes_by_rate(tax_lines.get(row.id, {}).items(), code),
        }
        yield line(COLUMNS, {**row._asdict(), **parts}, code)
