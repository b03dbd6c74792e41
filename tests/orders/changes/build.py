"""Orders and actions of the cases, as the computation takes them."""

from dataclasses import replace
from decimal import Decimal

from carts.arithmetic.adjustments import StoredAdjustment
from carts.arithmetic.line_totals import Line, LineTotals
from carts.arithmetic.offers import ActivePromotion
from carts.states import Allocation, PromotionKind, PromotionTarget, PromotionType
from kit.values.money import stored
from orders.changes.computation import ComputedOrder
from orders.changes.order_rows import (
    Action,
    AddItem,
    AddMethod,
    GrantedPromotion,
    LineDiscount,
    OrderLine,
    OrderMethod,
    PlacedOrder,
    UpdateItem,
)
from orders.common.summary import Balance
from tests.orders.changes.cases import Case, Item, Placed

ITEMS, ORDER = PromotionTarget.ITEMS, PromotionTarget.ORDER
PERCENTAGE, FIXED = PromotionType.PERCENTAGE, PromotionType.FIXED
PROMOTIONS = {
    "10 % off items": ActivePromotion("promo", PERCENTAGE, ITEMS, 10_0000),
    "10.00 off the order": ActivePromotion("promo", FIXED, ORDER, 10_0000),
    "buy 3 get 1": ActivePromotion(
        "promo", PERCENTAGE, ITEMS, 100_0000, kind=PromotionKind.BUYGET, buy_rules_min_quantity=3, apply_to_quantity=1
    ),
    "50 % once": ActivePromotion("promo", PERCENTAGE, ITEMS, 50_0000, allocation=Allocation.ONCE, max_quantity=1),
    "10.00 across": ActivePromotion("promo", FIXED, ITEMS, 10_0000, True, allocation=Allocation.ACROSS),
    "1.00 each": ActivePromotion("promo", FIXED, ITEMS, 1_0000, True, allocation=Allocation.EACH),
    "1.00 each, at most 2": ActivePromotion(
        "promo", FIXED, ITEMS, 1_0000, True, allocation=Allocation.EACH, max_quantity=2
    ),
}
COUNTERS = {
    "fulfilled": "fulfilled_quantity", "shipped": "shipped_quantity", "returned": "returned_quantity",
    "requested": "return_requested_quantity",
}  # fmt: skip


def units(amount: str) -> int:
    """An amount, or a percentage, as it is stored."""
    return stored(Decimal(amount))


def placed_order(case: Case) -> PlacedOrder:
    made, states = case.order, [each.split() for each in case.states.split(", ") if each]
    lines = [
        _line(item, made, [(key, int(number)) for name, key, number in states if name == item.name])
        for item in made.items
    ]
    total, tax = map(units, made.post)
    method = LineTotals(total, total - tax, tax, 0, 0, 0, total, tax, total, total, 0, ())
    money = {name: units(amount) for name, amount in case.money.items()}
    goods = sum(units(item.total) for item in made.items)
    balance = Balance(
        None, goods, total, **{"credit": 0, "paid": 0, "refunded": 0, "credit_refunded": 0, "allowance": 0, **money}
    )
    promotions = [GrantedPromotion(PROMOTIONS[made.promotion], "CODE")] if made.promotion else []
    return PlacedOrder("order_1", made.currency_code, balance, lines, [OrderMethod("post", method)], promotions)


def as_written(order: PlacedOrder, after: ComputedOrder) -> PlacedOrder:
    """The order once the change is confirmed."""
    lines, methods = [each.line for each in after.lines], [each.method for each in after.methods]
    return replace(order, balance=after.balance, lines=lines, methods=methods)


def actions(case: Case) -> list[Action]:
    return [_action(words.split(), case.order) for words in case.actions.split(", ") if words]


def plain(quantity: int, price: str, made: Placed) -> Line:
    rate = units(made.rate)
    return Line(quantity, units(price), made.is_tax_inclusive, [rate] if rate else [])


def _line(item: Item, made: Placed, states: list[tuple[str, int]]) -> OrderLine:
    total, counters = units(item.total), {COUNTERS[key]: number for key, number in states if key in COUNTERS}
    discounts = ()
    if item.off:
        off = units(item.off)
        as_stated = (None,) * 4 if made.is_net else (off, made.is_tax_inclusive, off, total)
        discounts = (LineDiscount("adj", "promo", "CODE", StoredAdjustment(off, *as_stated, total)),)
    return OrderLine(
        item.name, item.name.title(), plain(item.quantity, item.unit_price, made), total, discounts, **counters,
        has_variant=not any(key == "gone" for key, _ in states),
    )  # fmt: skip


def _action(words: list[str], made: Placed) -> Action:
    match words:
        case ["add", quantity, name, "at", price]:
            added = plain(int(quantity), price, made)
            return AddItem(OrderLine(name, name.title(), added, is_giftcard=name == "card"))
        case ["post", amount]:
            return AddMethod("post_2", plain(1, amount, made))
        case [name, quantity, "at", price]:
            return UpdateItem(name, int(quantity), units(price))
    name, quantity = words
    return UpdateItem(name, int(quantity))
