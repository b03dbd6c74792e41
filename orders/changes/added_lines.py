"""What a line that is added to an order costs, with its taxes, as the catalogue has it when it is added.

Why: docs/decisions/order-changes.md#an-added-line-keeps-its-price-and-taxes.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from typing import cast

from carts.errors import LinesWithoutPrice, VariantsNotSold
from carts.lines import sold_variants
from carts.lines.lines import checked_quantity
from carts.pricing.cart_rows import LineRow
from carts.pricing.custom_prices import custom_price
from carts.pricing.line_prices import set_prices
from catalog.prices.price_context import PriceContext
from kit.values.metadata import Metadata, checked
from orders.changes.errors import GiftCardVariant, NoBackorder, NothingToAdd
from orders.common.added_taxes import Added, tax_columns
from orders.common.order_context import order_context
from orders.models import Order
from orders.returns.notes import checked_note
from shop.taxes import Goods

_NOT_OF_ORDERS = ("cart_id", "detail_id")


@dataclass(frozen=True, slots=True)
class NewItem:
    """A variant to add. unit_price, compare_at_unit_price: in major units, instead of the catalogue's.

    allow_backorder: must not be true unless the variant allows backorders.
    """

    variant_id: str
    quantity: int
    unit_price: Decimal | None = None
    compare_at_unit_price: Decimal | None = None
    allow_backorder: bool = False
    internal_note: str | None = None
    metadata: Metadata | None = None

    @property
    def has_price(self) -> bool:
        """Whether staff set any price of it."""
        return self.unit_price is not None or self.compare_at_unit_price is not None


def added_columns(order: Order, items: Sequence[NewItem]) -> list[dict[str, object]]:
    """The columns of an action that adds each of the items. At most ten statements.

    Raises NothingToAdd, VariantsNotSold, GiftCardVariant, NoBackorder, LinesWithoutPrice, InvalidData (quantity,
    unit_price, compare_at_unit_price, internal_note, metadata), and RerunRequired for a tax provider.
    """
    if not items:
        raise NothingToAdd
    own = [_own_columns(order, item, f"items[{place}].") for place, item in enumerate(items)]
    context = order_context(order.pk)
    lines = _lines(order, items)
    _set_prices(lines, own, context.price_context)
    added = [
        Added(
            Goods(line.product_id, line.type_id),
            line.quantity,
            cast(int, columns["unit_price"]),
            is_tax_inclusive=bool(line.is_tax_inclusive),
        )
        for line, columns in zip(lines, own, strict=True)
    ]
    taxes = tax_columns(order, context, added)
    return [{**_described(line), **columns, **each} for line, columns, each in zip(lines, own, taxes, strict=True)]


def price_column(order: Order, price: Decimal | None, field: str) -> int | None:
    """The price in 1/10,000. Raises InvalidData naming the field."""
    return None if price is None else custom_price(price, order.currency_id, field=field)


def _own_columns(order: Order, item: NewItem, at: str) -> dict[str, object]:
    return {
        "variant_id": item.variant_id,
        "quantity": checked_quantity(item.quantity),
        "unit_price": price_column(order, item.unit_price, f"{at}unit_price"),
        "compare_at_unit_price": price_column(order, item.compare_at_unit_price, f"{at}compare_at_unit_price"),
        "is_custom": item.unit_price is not None,
        "internal_note": checked_note(item.internal_note, field=f"{at}internal_note"),
        "metadata": checked(item.metadata, field=f"{at}metadata"),
    }


def _lines(order: Order, items: Sequence[NewItem]) -> list[LineRow]:
    """A line of each item as a cart would have it, without a price."""
    try:
        variants = sold_variants.find([item.variant_id for item in items], order.sales_channel_id, [])
    except VariantsNotSold as error:
        raise VariantsNotSold(error.variant_ids, owner="order") from error
    lines = []
    for item in items:
        variant = variants[item.variant_id]
        if variant.product__is_giftcard:
            raise GiftCardVariant(variant.product__title)
        if item.allow_backorder and variant.manage_inventory and not variant.allow_backorder:
            raise NoBackorder
        line = sold_variants.new_line(variant, cart_id="", quantity=item.quantity, metadata=None)
        line.follow_catalogue()
        lines.append(line)
    return lines


def _set_prices(lines: Sequence[LineRow], own: Sequence[dict[str, object]], context: PriceContext) -> None:
    """Complete the prices. Those that staff set are stated with tax as the catalogue's are, or else the currency's."""
    custom = [line for line, columns in zip(lines, own, strict=True) if columns["is_custom"]]
    for line in custom:
        line.is_tax_inclusive = context.currency_is_tax_inclusive
    with suppress(LinesWithoutPrice):
        set_prices(custom, context, keep_stored=False)
    set_prices([line for line in lines if line not in custom], context, keep_stored=False)
    for line, columns in zip(lines, own, strict=True):
        if not columns["is_custom"]:
            columns["unit_price"] = line.unit_price
        if columns["compare_at_unit_price"] is None and not columns["is_custom"]:
            columns["compare_at_unit_price"] = line.compare_at_unit_price


def _described(line: LineRow) -> dict[str, object]:
    """What the catalogue says of the line: columns of the action, and those that the order's line will have."""
    told = {
        name: value
        for name, value in line.constants.items()
        if name not in _NOT_OF_ORDERS and not name.endswith("_quantity")
    }
    goods = {
        "product_id": line.product_id,
        "requires_shipping": line.requires_shipping,
        "is_discountable": line.is_discountable,
    }
    return {"is_tax_inclusive": bool(line.is_tax_inclusive), "described": {**told, **goods}}
