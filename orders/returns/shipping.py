"""The shipping of a return: its price, and how it counts in the order's totals.

It is a shipping method of the order, linked to the return. It is added to the order when the return is requested, and
removed when the return is canceled. Its cost is deducted from the refund.
Why: docs/decisions/returns.md#the-shipping-of-a-return-counts-with-the-return.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple, Self

from carts.arithmetic.line_totals import Line, LineTotals, add_up_lines
from carts.pricing.cart_context import CartContext
from fulfillment.options.available_options import AvailableOption
from kit.domain.actor import Actor
from kit.errors import InvalidData
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.ids import new_id
from kit.values.metadata import Metadata, checked
from kit.values.money import LARGEST, stored
from kit.values.text import is_storable
from kit.values.timestamps import now
from kit.writes import raw_rows
from orders.common.order_context import order_context
from orders.common.order_options import options_of_order, price_of
from orders.fulfillments.locked_lines import LockedLines
from orders.models import OrderShippingMethod, OrderShippingMethodTaxLine
from orders.returns.errors import OptionNotForReturn, ReturnShippingWithoutPrice
from orders.returns.notes import checked_note
from orders.returns.totals import LINE_TOTALS


@dataclass(frozen=True, slots=True)
class ReturnShipping:
    """A shipping option for returns. amount: in major units, instead of the option's price.

    field: the field that named the option, for messages; None if it was chosen earlier.
    """

    option_id: str
    amount: Decimal | None = None
    description: str | None = None
    metadata: Metadata | None = None
    field: str | None = None


class ReturnMethod(NamedTuple):
    """The shipping method of a return, with its totals in 1/10,000."""

    id: str
    total: int
    subtotal: int
    tax_total: int
    discount_total: int
    discount_subtotal: int
    discount_tax_total: int
    original_total: int
    original_tax_total: int

    @classmethod
    def of(cls, method_id: str, totals: LineTotals) -> Self:
        return cls(method_id, *(getattr(totals, name) for name in LINE_TOTALS))

    def added(self, *, sign: int = 1) -> dict[str, int]:
        """What the method adds to the order's shipping totals; with sign=-1, what it subtracts."""
        return {name: sign * getattr(self, name) for name in LINE_TOTALS}


def method_of(return_id: str) -> ReturnMethod | None:
    """The shipping method of the return. One statement."""
    return next(iter(_METHODS.read([return_id])), None)


def due(order: LockedLines, method: ReturnMethod | None, *, sign: int = 1) -> Mapping[str, int]:
    """The order's column of return shipping that does not count yet, with the method or, with sign=-1, without it."""
    if method is None:
        return {}
    return {"return_shipping_due": stored(order.row.return_shipping_due) + sign * method.total}


def add_method(
    order: LockedLines,
    return_id: str,
    wanted: ReturnShipping,
    *,
    actor: Actor,
    is_requested: bool,
    method_id: str | None = None,
) -> ReturnMethod:
    """Insert the shipping method of a return, at the option's current price and the taxes of the order's address.

    It is exempt if the order is, even if the customer no longer is.
    actor: staff may also choose options that are not enabled in the store.
    is_requested: whether it is added to the order immediately. method_id: by default a new one.
    Raises OptionNotForReturn, ReturnShippingWithoutPrice, InvalidData (amount, description, metadata). At most ten
    statements.
    """
    context = order_context(order.row.pk)
    option = _option(context, wanted, for_staff=actor.is_trusted)
    price = price_of(option, wanted.amount, context.price_context, order.row.currency_id)
    if price is None:
        raise ReturnShippingWithoutPrice(option.row.name)
    [taxes] = context.tax_place.taxes_on([option.goods])
    exempt_rate = sum(tax.rate for tax in taxes) if order.row.is_tax_exempt else None
    applicable = taxes if exempt_rate is None else ()
    line = Line(1, *price, [tax.rate for tax in applicable], exempt_rate=exempt_rate or 0)
    [totals] = add_up_lines([line], currency_code=order.row.currency_id)
    _check_total(order, totals.total)
    moment, method = now(), ReturnMethod.of(method_id or new_id("ordsm"), totals)
    dates = {"created_at": moment, "updated_at": moment, "deleted_at": None}
    row = {
        "id": method.id,
        "order_id": order.row.pk if is_requested else None,
        "of_return_id": return_id,
        "shipping_option_id": option.id,
        "name": option.row.name,
        "description": checked_note(wanted.description, field="description"),
        **price._asdict(),
        "is_custom_amount": wanted.amount is not None,
        "data": None,
        "metadata": checked(wanted.metadata),
        "refundable_total": totals.refundable_total,
        "refundable_total_per_unit": totals.refundable_total_per_unit,
        "exempt_tax_total": totals.exempt_tax_total,
        "exempt_rate": exempt_rate,
    }
    raw_rows.insert(OrderShippingMethod, [{**row, **method.added(), **dates}])
    raw_rows.insert(
        OrderShippingMethodTaxLine,
        [
            {"id": new_id("ordsmtxl"), "shipping_method_id": method.id} | {**tax._asdict(), **of_tax._asdict(), **dates}
            for tax, of_tax in zip(applicable, totals.tax_lines, strict=True)
        ],
    )
    return method


def join_order(order: LockedLines, method: ReturnMethod) -> None:
    """Add the method of an open return to its order. Raises InvalidData (its total). One statement."""
    _check_total(order, method.total)
    raw_rows.update(OrderShippingMethod, [{"id": method.id, "order_id": order.row.pk, "updated_at": now()}])


def remove_method(method: ReturnMethod) -> None:
    """Soft-delete the method. One statement."""
    raw_rows.update(OrderShippingMethod, [{"id": method.id, "deleted_at": now()}])


def _check_total(order: LockedLines, added: int) -> None:
    """Raise InvalidData if the amount would make the order's total too large."""
    if added + stored(order.row.item_total) + stored(order.row.shipping_total) > stored(LARGEST):
        raise InvalidData(f"The return's shipping would raise the order's total above {LARGEST}")


def return_options(order_id: str) -> list[AvailableOption]:
    """What staff can choose for returns of the order, by name."""
    found = _options(order_context(order_id), for_staff=True)
    return sorted(found, key=lambda option: (option.row.name, option.id))


def _option(context: CartContext, wanted: ReturnShipping, *, for_staff: bool) -> AvailableOption:
    if is_storable(wanted.option_id):
        for option in _options(context, among=[wanted.option_id], for_staff=for_staff):
            return option
    raise OptionNotForReturn(wanted.option_id, field=wanted.field)


def _options(
    context: CartContext, *, among: Collection[str] | None = None, for_staff: bool
) -> Iterator[AvailableOption]:
    """The options that serve returns from the order's address. A return may contain items of any profile."""
    found = options_of_order(context, among=among, for_staff=for_staff)
    return (option for option in found if option.for_returns)


_METHODS = KeyedRows(OrderShippingMethod.objects.not_deleted, key="of_return_id", row=ReturnMethod)
