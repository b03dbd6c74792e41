"""Which price holds, computed again, slowly: the rules of prices, one after the other."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

RATE = Decimal("12.5")
"""The tax of every region, in percent."""


@dataclass(frozen=True)
class List:
    """starts, ends: hours from now."""

    type: str
    status: str
    starts: int | None
    ends: int | None
    rules: dict[str, list[str]]


@dataclass(frozen=True)
class Offer:
    """A price; number: its place among all, which orders the ids. list_number: None, or the place of its list."""

    number: int
    set_number: int
    currency_code: str
    amount: int
    least: int | None
    most: int | None
    rules: tuple[tuple[str, str, str], ...]
    list_number: int | None


@dataclass(frozen=True)
class Buyer:
    """item_total and groups: what else is known."""

    region: str | None
    quantity: int | None
    groups: tuple[str, ...] | None
    item_total: Decimal | None


def reported_again(of_set, drawn_lists, buyer, region_is_inclusive, currency_is_inclusive):
    applying = [offer for offer in of_set if _applies(offer, drawn_lists, buyer)]
    ranked = sorted(
        applying, key=lambda offer: (-_rule_count(offer, drawn_lists), offer.amount, f"price_{offer.number}")
    )
    default = _first(offer for offer in ranked if offer.list_number is None)
    listed = _first(offer for offer in ranked if offer.list_number is not None)
    override = _first(offer for offer in ranked if _type(offer, drawn_lists) == "override")

    calculated = default
    if listed is not None:
        if default is None or _type(listed, drawn_lists) == "override":
            calculated = listed
        else:
            calculated = min([listed, default], key=lambda offer: offer.amount)
    if calculated is None:
        return None
    original = override or default

    def inclusive(offer):
        has_region_rule = any(name == "region_id" for name, _, _ in offer.rules)
        return region_is_inclusive if has_region_rule else currency_is_inclusive

    return {
        **_reported("calculated", calculated, drawn_lists, buyer, inclusive),
        **_reported("original", original, drawn_lists, buyer, inclusive),
    }


def _reported(name, offer, drawn_lists, buyer, inclusive):
    with_tax = without_tax = None
    if offer is not None and buyer.region is not None:
        with_tax = without_tax = Decimal(offer.amount)
        if inclusive(offer):
            without_tax = without_tax / (1 + RATE / 100)
        else:
            with_tax = with_tax * (1 + RATE / 100)
    return {
        f"{name}_amount": offer and offer.amount,
        f"{name}_amount_with_tax": _cents(with_tax),
        f"{name}_amount_without_tax": _cents(without_tax),
        f"is_{name}_price_price_list": offer is not None and offer.list_number is not None,
        f"is_{name}_price_tax_inclusive": offer is not None and inclusive(offer),
        f"{name}_price": (
            offer and f"price_{offer.number}",
            None if offer is None or offer.list_number is None else f"plist_{offer.list_number}",
            offer and _type(offer, drawn_lists),
            (offer and offer.least) or None,
            offer and offer.most,
        ),
    }


def _applies(offer, drawn_lists, buyer):
    if offer.currency_code != "usd":
        return False
    if buyer.quantity is None:
        fits = offer.least is None or offer.least <= 1
    else:
        fits = (offer.least or 0) <= buyer.quantity <= (999 if offer.most is None else offer.most)
    own = all(_matches(rule, known_of(buyer)) for rule in offer.rules)
    if offer.list_number is None:
        return fits and own
    whole = drawn_lists[offer.list_number]
    active = whole.status == "active"
    begun = whole.starts is None or whole.starts < 0
    over = whole.ends is not None and whole.ends < 0
    return fits and own and active and begun and not over and all(_any(rule, buyer) for rule in whole.rules.items())


def _matches(rule, known):
    name, operator, value = rule
    if name not in known:
        return False
    if isinstance(known[name], Decimal):
        given, bound = known[name], Decimal(value)
        return {
            "eq": given == bound,
            "gt": given > bound,
            "gte": given >= bound,
            "lt": given < bound,
            "lte": given <= bound,
        }[operator]
    return value in _texts(known[name])


def _any(rule, buyer):
    name, values = rule
    known = known_of(buyer)
    return name in known and any(text in values for text in _texts(known[name]))


def _texts(known):
    return list(known) if isinstance(known, tuple) else [str(known)]


def known_of(buyer):
    values = {"region_id": buyer.region, "customer.groups.id": buyer.groups, "item_total": buyer.item_total}
    return {name: value for name, value in values.items() if value is not None}


def _rule_count(offer, drawn_lists):
    return len(offer.rules) + (0 if offer.list_number is None else len(drawn_lists[offer.list_number].rules))


def _type(offer, drawn_lists):
    return None if offer.list_number is None else drawn_lists[offer.list_number].type


def _first(some: Iterable[Offer]) -> Offer | None:
    return next(iter(some), None)


def _cents(amount: Decimal | None) -> float | None:
    return None if amount is None else float(amount.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP))
