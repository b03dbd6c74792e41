"""What has changed in a cart since its shopper saw it, as the refusal of its completion names it."""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from carts.models import Promotion
from carts.pricing.cart_rows import CreditLineRow, LineRow, ShippingMethodRow, TotalsRow
from carts.pricing.line_titles import stored_titles
from carts.pricing.locked_cart import LockedCart
from giftcards.spending.cart_credit import PAID_BY_CARD


class ChangeKind(StrEnum):
    """What an amount of the cart is about. stock: quantities, not amounts."""

    PRICE = "price"
    PROMOTION = "promotion"
    TAX = "tax"
    SHIPPING = "shipping"
    CREDIT = "credit"
    STOCK = "stock"


class Change(NamedTuple):
    """A difference.

    id: of the line, shipping method or credit line. before, after: amounts in 1/10,000, quantities of stock;
    None for what is gone. code: of promotions that no longer apply.
    """

    kind: ChangeKind
    id: str
    title: str
    before: int | None
    after: int | None
    code: str | None = None


class _Amounts(NamedTuple):
    title: str
    price: int
    discount: int
    tax: int


class SeenCart(NamedTuple):
    """The amounts of a cart before it is refreshed, by the ids of their rows."""

    lines: dict[str, _Amounts]
    methods: dict[str, _Amounts]
    credit: dict[str, tuple[str, int]]


def seen(cart: LockedCart) -> SeenCart:
    """Those of the locked cart."""
    return SeenCart(
        {line.id: _of_line(line) for line in cart.lines},
        {method.id: _of_method(method) for method in cart.methods},
        {line.id: (_credit_title(line), line.amount) for line in cart.credit_lines},
    )


def changes(before: SeenCart, cart: LockedCart) -> list[Change]:
    """What the refreshed cart differs in. At most two statements.

    What only follows from another change of the same row, such as its tax from its price, is left out; so is credit,
    which follows from what is due, unless it begins or ends.
    """
    after = seen(cart)
    found = [
        *_of_rows(ChangeKind.PRICE, before.lines, after.lines),
        *_of_rows(ChangeKind.SHIPPING, before.methods, after.methods),
    ]
    found += [each for each in _of_credit(before.credit, after.credit) if not found or 0 in (each.before, each.after)]
    titles = stored_titles({each.id for each in found} & after.lines.keys())
    codes = _codes(cart.dropped_promotions) if cart.dropped_promotions else None
    return [_named(each, titles, codes) for each in found]


def _of_rows(kind: ChangeKind, before: dict[str, _Amounts], after: dict[str, _Amounts]) -> Iterator[Change]:
    for row_id, old in before.items():
        new = after.get(row_id)
        if new is None:
            yield Change(kind, row_id, old.title, old.price, None)
            continue
        moved = [
            (kind, old.price, new.price),
            (ChangeKind.PROMOTION, old.discount, new.discount),
            (ChangeKind.TAX, old.tax, new.tax),
        ]
        is_first = True
        for what, was, now in moved:
            if was != now and (is_first or 0 in (was, now)):
                yield Change(what, row_id, new.title, was, now)
            is_first = is_first and was == now


def _of_credit(before: dict[str, tuple[str, int]], after: dict[str, tuple[str, int]]) -> Iterator[Change]:
    for line_id, (title, was) in before.items():
        _, now = after.get(line_id, (title, 0))
        if was != now:
            yield Change(ChangeKind.CREDIT, line_id, title, was, now)


def _credit_title(line: CreditLineRow) -> str:
    return "Gift card" if line.reference == PAID_BY_CARD else "Store credit"


def _named(change: Change, titles: dict[str, str], codes: str | None) -> Change:
    title = titles.get(change.id, change.title)
    is_less = change.kind is ChangeKind.PROMOTION and (change.after or 0) < (change.before or 0)
    return change._replace(title=title, code=codes if is_less else None)


def _codes(promotion_ids: Iterable[str]) -> str:
    return ", ".join(Promotion.objects.filter(pk__in=promotion_ids).order_by("pk").values_list("code", flat=True))


def _of_line(line: LineRow) -> _Amounts:
    return _Amounts("", line.unit_price, *_rest(line))


def _of_method(method: ShippingMethodRow) -> _Amounts:
    return _Amounts(method.name, method.amount, *_rest(method))


def _rest(row: TotalsRow) -> tuple[int, int]:
    return row.discount_total, row.tax_total
