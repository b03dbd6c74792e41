"""Why an action of a change is refused. The texts are what the API answers."""

from collections.abc import Iterable

from django.conf import settings

from carts.errors import QuantityTooLarge
from carts.lines.lines import MAX_QUANTITY, checked_quantity
from kit.errors import DomainError, InvalidData, NotAllowed, listed
from kit.values.money import LARGEST, exact, major
from orders.changes.discounts.discounted_lines import as_placed
from orders.changes.order_rows import (
    Action,
    AddItem,
    AddMethod,
    ClaimUnits,
    OrderLine,
    PlacedOrder,
    ReturnUnits,
    UpdateItem,
)
from orders.fulfillments.errors import ItemsNotInOrder, QuantityTooSmall
from orders.returns.errors import GiftCardLine, TooManyToReturn


class GiftCardUnchangeable(NotAllowed):
    """Gift cards are issued for what was paid: they can be neither added nor changed."""

    def __init__(self, line: str) -> None:
        super().__init__(f"Item {line} is a gift card, which can be neither added nor changed")


class BelowFulfilled(NotAllowed):
    """The quantity would fall below the fulfilled units."""

    def __init__(self, line: str, fulfilled: int, *, is_shipped: bool) -> None:
        units = "1 unit is" if fulfilled == 1 else f"{fulfilled} units are"
        way = "Units that were shipped come back by a return" if is_shipped else "Cancel their fulfillment first"
        super().__init__(f"Quantity of item {line} must be at least {fulfilled}: {units} fulfilled. {way}")


class PriceOfFulfilled(NotAllowed):
    """Units that were fulfilled keep their price."""

    def __init__(self, line: str, fulfilled: int) -> None:
        units = "1 unit is" if fulfilled == 1 else f"{fulfilled} units are"
        super().__init__(f"The unit_price of item {line} cannot change: {units} fulfilled")


class VariantGone(NotAllowed):
    """A line whose variant was deleted can only be lowered and removed."""

    def __init__(self, line: str, quantity: int) -> None:
        super().__init__(
            f"Quantity of item {line} cannot be raised above {quantity}: its product variant no longer exists"
        )


class CarriedOverReturned(NotAllowed):
    """Carrying promotions over would change what returned units have refunded."""

    def __init__(self, lines: Iterable[str]) -> None:
        super().__init__(
            f"carry_over_promotions is not possible: units of {listed(lines)} were returned, or are requested back"
        )


class CarriedOverOld(NotAllowed):
    """An older version placed the order, without what its promotions applied to."""

    message = "carry_over_promotions is not possible: the order was placed before promotions were copied to orders"


class NoItemsLeft(NotAllowed):
    """An order keeps at least one line. Canceling releases more than its stock."""

    message = "The order would have no items left: cancel it instead"


class OrderTotalTooLarge(InvalidData):
    """The total exceeds the largest amount that can be stored."""

    message = f"The change would raise the order's total above {LARGEST}"


def refusal_of(action: Action, order: PlacedOrder) -> DomainError | None:
    """Why the action is refused, if it is."""
    try:
        _check(action, order)
    except DomainError as refusal:
        return refusal
    return None


def carry_over_refusal(order: PlacedOrder, *, of_edit: bool) -> DomainError | None:
    """Why the order's promotions cannot be carried over, if they cannot."""
    is_old = any(as_placed(line, order.currency_code).is_net for line in order.lines)
    if is_old or not all(promotion.has_rules for promotion in order.promotions):
        return CarriedOverOld()
    if not of_edit:
        return None
    returned = [line for line in order.lines if line.returned_quantity or line.return_requested_quantity]
    return CarriedOverReturned(map(_shown, returned)) if returned else None


def _check(action: Action, order: PlacedOrder) -> None:
    match action:
        case AddItem(added):
            _check_added(added, order.currency_code)
        case UpdateItem(line_id):
            _check_update(action, _line(order, line_id), order.currency_code)
        case AddMethod(plain=plain):
            _check_amount(plain.unit_price, order.currency_code, field="custom_amount")
        case ReturnUnits(line_id, quantity, is_claimed):
            _check_units(_line(order, line_id), quantity, is_claimed=is_claimed)
        case ClaimUnits(line_id, quantity):
            _check_units(_line(order, line_id), quantity, is_claimed=True)


def _check_added(line: OrderLine, currency_code: str) -> None:
    if line.is_giftcard:
        raise GiftCardUnchangeable(_shown(line))
    checked_quantity(line.plain.quantity)
    _check_amount(line.plain.unit_price, currency_code, field="unit_price")


def _check_update(action: UpdateItem, line: OrderLine, currency_code: str) -> None:
    if line.is_giftcard:
        raise GiftCardUnchangeable(_shown(line))
    if action.quantity < 0:
        raise InvalidData("Value for field 'quantity' too small, expected at least: '0'")
    if action.quantity > MAX_QUANTITY:
        raise QuantityTooLarge(MAX_QUANTITY)
    if action.quantity < line.fulfilled_quantity:
        raise BelowFulfilled(_shown(line), line.fulfilled_quantity, is_shipped=line.shipped_quantity > 0)
    if action.quantity > line.plain.quantity and not line.has_variant:
        raise VariantGone(_shown(line), line.plain.quantity)
    if action.unit_price not in (None, line.plain.unit_price):
        _check_amount(action.unit_price or 0, currency_code, field="unit_price")
        if line.fulfilled_quantity:
            raise PriceOfFulfilled(_shown(line), line.fulfilled_quantity)


def _line(order: PlacedOrder, line_id: str) -> OrderLine:
    line = next((line for line in order.lines if line.id == line_id), None)
    if line is None:
        raise ItemsNotInOrder([line_id], order.id)
    return line


def _check_units(line: OrderLine, quantity: int, *, is_claimed: bool) -> None:
    if line.is_giftcard:
        raise GiftCardLine(_shown(line))
    if quantity < 1:
        raise QuantityTooSmall
    left = line.claimable if is_claimed else line.returnable
    if quantity > left:
        raise TooManyToReturn(_shown(line), "shipped" if is_claimed else settings.RETURN_AFTER, left)


def _check_amount(amount: int, currency_code: str, *, field: str) -> None:
    if amount < 0:
        raise InvalidData(f"Value for field '{field}' too small, expected at least: '0'")
    exact(major(amount), currency_code, field=field)


def _shown(line: OrderLine) -> str:
    """The line as refusals of returns name it, too."""
    return f"{line.id} - {line.title}"
