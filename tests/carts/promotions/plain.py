"""What promotions take off by our decisions, with fractions and unit by unit: it imports nothing of the shop.

Amounts are in coins: whole numbers of the smallest amount that a currency pays.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tests.carts.money.plain import rounded, shared

CLASSES = ("items", "order", "shipping_methods")


@dataclass(frozen=True)
class PlainRow:
    """kind: what rules select by. stated: for all units."""

    stated: int
    quantity: int
    incl: bool
    rate: Fraction
    kind: str = ""
    is_discountable: bool = True
    is_giftcard: bool = False
    is_shipping: bool = False

    def said(self, amount: Fraction | int, *, has_tax: bool, wants_tax: bool) -> int:
        if has_tax == wants_tax:
            return rounded(Fraction(amount))
        return rounded(Fraction(amount) / (1 + self.rate) if has_tax else amount * (1 + self.rate))


@dataclass(frozen=True)
class PlainOffer:
    """value: coins, or a share with is_percentage. kinds: of the rows to discount, of those to buy; none for all."""

    target: str
    is_percentage: bool
    value: Fraction
    incl: bool = False
    allocation: str = "each"
    most: int | None = None
    buy: int = 0
    get: int = 0
    kinds: frozenset[str] = frozenset()
    bought_kinds: frozenset[str] = frozenset()
    least: int = 0
    priority: int = 0
    combines_with: frozenset[str] = frozenset(CLASSES)

    @property
    def order(self) -> tuple[int, int, int]:
        return CLASSES.index(self.target), -self.priority, 0 if self.buy else 1 if self.is_percentage else 2


Taken = list[dict[int, int]]
"""What each row loses, by the index of the offer."""


def apply(rows: Sequence[PlainRow], offers: dict[int, PlainOffer]) -> Taken:
    left, taken = [row.stated for row in rows], [dict[int, int]() for _ in rows]
    free = [row.quantity for row in rows]
    for target in CLASSES:
        goods = sum(amount for row, amount in zip(rows, left, strict=True) if is_goods(row))
        of_class = [(index, offer) for index, offer in offers.items() if offer.target == target]
        for number, offer in sorted(of_class, key=lambda each: each[1].order):
            if goods < offer.least:
                continue
            for index, amount in _amounts(offer, rows, left, free).items():
                if amount:
                    left[index] -= amount
                    taken[index][number] = amount
    return taken


def choose(rows: Sequence[PlainRow], offers: Sequence[PlainOffer]) -> Taken:
    """The combination that the rules choose, tried out."""
    all_of_them = {number: offer for number, offer in enumerate(offers) if _targets(offer, rows)}
    if all(one is other or _go(one, other) for one in all_of_them.values() for other in all_of_them.values()):
        return apply(rows, all_of_them)
    alone = {number: saved(rows, apply(rows, {number: offer})) for number, offer in all_of_them.items()}
    ranked = sorted(all_of_them, key=lambda number: (-all_of_them[number].priority, -alone[number], number))
    joining = [number for number in ranked if all_of_them[number].combines_with]
    while True:
        chosen: dict[int, PlainOffer] = {}
        for number in joining:
            if all(_go(all_of_them[number], other) for other in chosen.values()):
                chosen[number] = all_of_them[number]
        best = apply(rows, chosen)
        idle = [number for number in chosen if not any(number in of_row for of_row in best)]
        if not idle or len(chosen) == len(joining):
            break
        joining.remove(idle[0])
    for number in ranked:
        if not all_of_them[number].combines_with and alone[number] > saved(rows, best):
            best = apply(rows, {number: all_of_them[number]})
    return best


def is_goods(row: PlainRow) -> bool:
    return not row.is_shipping and not row.is_giftcard


def saved(rows: Sequence[PlainRow], taken: Taken) -> int:
    return sum(
        _paid(row, row.stated) - _paid(row, row.stated - sum(of_row.values()))
        for row, of_row in zip(rows, taken, strict=True)
    )


def _paid(row: PlainRow, amount: int) -> int:
    return amount if row.incl else amount + rounded(amount * row.rate)


def _go(one: PlainOffer, other: PlainOffer) -> bool:
    return one.target in other.combines_with and other.target in one.combines_with


def _targets(offer: PlainOffer, rows: Sequence[PlainRow]) -> list[int]:
    on_shipping = offer.target == "shipping_methods"
    return [
        index
        for index, row in enumerate(rows)
        if row.is_shipping == on_shipping and not row.is_giftcard and row.is_discountable
        and (not offer.kinds or row.kind in offer.kinds)
    ]  # fmt: skip


def _amounts(offer: PlainOffer, rows: Sequence[PlainRow], left: list[int], free: list[int]) -> dict[int, int]:
    targets = [index for index in _targets(offer, rows) if left[index]]
    if offer.target == "order" or offer.allocation == "across":
        return _together(offer, rows, left, targets)
    if offer.buy:
        units = _bought(offer, rows, left, free, targets)
    elif offer.allocation == "once":
        units = sorted(_units(targets, [row.quantity for row in rows], rows, left))[: offer.most]
        units = [index for _, index in units]
    else:
        most = [row.quantity if offer.most is None else min(row.quantity, offer.most) for row in rows]
        units = [index for index in targets for _ in range(most[index])]
    return {index: _off(offer, rows[index], left[index], units.count(index)) for index in {*units}}


def _units(
    indexes: Iterable[int], numbers: Sequence[int], rows: Sequence[PlainRow], left: Sequence[int]
) -> list[tuple[Fraction, int]]:
    return [(Fraction(left[index], rows[index].quantity), index) for index in indexes for _ in range(numbers[index])]


def _bought(
    offer: PlainOffer, rows: Sequence[PlainRow], left: list[int], free: list[int], targets: list[int]
) -> list[int]:
    """The units that are discounted; they and those that count as bought are no longer free."""
    buys = [
        index for index, row in enumerate(rows) if is_goods(row)
        and (not offer.bought_kinds or row.kind in offer.bought_kinds)
    ]  # fmt: skip
    to_buy, to_give, both = (sum(free[index] for index in among) for among in (buys, targets, {*buys, *targets}))
    times = 0
    while (
        (times + 1) * offer.buy <= to_buy
        and (times + 1) * offer.get <= to_give
        and (times + 1) * (offer.buy + offer.get) <= both
        and (offer.most is None or (times + 1) * offer.get <= offer.most)
    ):
        times += 1
    given: list[int] = []
    for _, index in sorted(_units(targets, free, rows, left)):
        if len(given) < times * offer.get and (index not in buys or to_buy > times * offer.buy):
            given.append(index)
            to_buy -= index in buys
    remaining = [number - given.count(index) for index, number in enumerate(free)]
    dearest = sorted(_units(buys, remaining, rows, left), key=lambda unit: (-unit[0], unit[1]))
    for index in given + [index for _, index in dearest[: times * offer.buy]]:
        free[index] -= 1
    return given


def _off(offer: PlainOffer, row: PlainRow, left: int, units: int) -> int:
    of_units = Fraction(left * units, row.quantity)
    if offer.is_percentage:
        return rounded(of_units * offer.value)
    return min(row.said(offer.value * units, has_tax=offer.incl, wants_tax=row.incl), rounded(of_units), left)


def _together(
    offer: PlainOffer, rows: Sequence[PlainRow], left: Sequence[int], targets: Sequence[int]
) -> dict[int, int]:
    amounts = [left[index] for index in targets]
    if offer.is_percentage:
        return dict(zip(targets, shared(rounded(offer.value * sum(amounts)), amounts), strict=True))
    weights = [rows[index].said(left[index], has_tax=rows[index].incl, wants_tax=offer.incl) for index in targets]
    shares = shared(min(rounded(offer.value), sum(weights)), weights)
    return {
        index: left[index] if share == weight > 0
        else min(rows[index].said(share, has_tax=offer.incl, wants_tax=rows[index].incl), left[index])
        for index, weight, share in zip(targets, weights, shares, strict=True)
    }  # fmt: skip
