"""Which price holds, as a table. A price is written as its amount, with what it asks for behind."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import permutations
from typing import Any

import pytest

from catalog.prices.price_rules import Attribute, ListRule, Rule
from catalog.prices.price_selection import Candidate, ListTerms, select

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
MOMENT = timedelta(milliseconds=1)

Case = tuple[str, list[Candidate], dict[str, Any], tuple[int, int | None] | None]


def rule(attribute: str, value: str, operator: str = "eq") -> Rule:
    return Rule(attribute, operator, value)


EU = rule("region_id", "reg_eu")
US = rule("region_id", "reg_us")
VIP = rule("customer.groups.id", "vip")


def terms(kind: str, *rules: ListRule, starts: datetime | None = None, ends: datetime | None = None) -> ListTerms:
    return ListTerms(f"plist_{kind}", kind, starts, ends, rules)


def sale(*rules: ListRule, starts: datetime | None = None, ends: datetime | None = None) -> ListTerms:
    return terms("sale", *rules, starts=starts, ends=ends)


def override(*rules: ListRule, starts: datetime | None = None, ends: datetime | None = None) -> ListTerms:
    return terms("override", *rules, starts=starts, ends=ends)


def usd(amount: int, *rules: Rule, least: int | None = None, most: int | None = None, **rest: Any) -> Candidate:
    """rest: price_list, currency_code, id (which is the amount's unless a tie is to be decided)."""
    price_list, currency_code = rest.get("price_list"), rest.get("currency_code", "usd")
    return Candidate(rest.get("id", f"price_{amount}"), amount, currency_code, least, most, rules, price_list)


def asked(quantity: int | None = None, **attributes: Attribute) -> dict[str, Any]:
    return {"quantity": quantity, "attributes": {name.replace("__", "."): each for name, each in attributes.items()}}


ANYONE = asked()
IN_EU = asked(region_id="reg_eu")
VIPS = ListRule("customer.groups.id", ("vip", "staff"))

# What it shows, the prices that there are, what is asked, the calculated and the original amount (or None: no price).
CASES: list[Case] = [
    # Currency
    ("nothing is for sale without prices", [], ANYONE, None),
    ("a price without rules holds for anyone", [usd(10)], ANYONE, (10, 10)),
    ("another currency's price never holds", [usd(10, currency_code="eur")], ANYONE, None),
    ("other currencies stay out of the choice", [usd(10), usd(9, currency_code="eur")], ANYONE, (10, 10)),
    # Quantity, where none is said
    ("a first look sees a price from one piece on", [usd(10, least=1)], ANYONE, (10, 10)),
    ("a first look sees a price from none on", [usd(10, least=0)], ANYONE, (10, 10)),
    ("a first look does not see the price of two", [usd(9, least=2)], ANYONE, None),
    ("a first look does not mind the most", [usd(10, most=5)], ANYONE, (10, 10)),
    # Quantity, where one is said
    ("open bounds hold for any quantity", [usd(10)], asked(999), (10, 10)),
    ("the least quantity is included", [usd(9, least=3)], asked(3), (9, 9)),
    ("below the least is too few", [usd(9, least=3)], asked(2), None),
    ("the most is included", [usd(9, most=3)], asked(3), (9, 9)),
    ("above the most is too many", [usd(9, most=3)], asked(4), None),
    ("tiers take turns: the small one", [usd(10, most=9), usd(8, least=10)], asked(9), (10, 10)),
    ("tiers take turns: the big one", [usd(10, most=9), usd(8, least=10)], asked(10), (8, 8)),
    ("overlapping tiers: the lower wins, not the tighter", [usd(10), usd(12, least=5, most=6)], asked(5), (10, 10)),
    # Rules of prices
    ("a rule holds for its value", [usd(10, EU)], IN_EU, (10, 10)),
    ("a rule does not hold for another value", [usd(10, US)], IN_EU, None),
    ("a rule does not hold where nothing is known", [usd(10, EU)], ANYONE, None),
    ("all rules must hold", [usd(8, EU, VIP)], IN_EU, None),
    ("one of several values is enough", [usd(8, VIP)], asked(customer__groups__id=("new", "vip")), (8, 8)),
    ("none of several values is not", [usd(8, VIP)], asked(customer__groups__id=("new", "old")), None),
    ("no values at all neither", [usd(8, VIP)], asked(customer__groups__id=()), None),
    ("a text ignores the operator", [usd(8, rule("region_id", "reg_eu", "gt"))], IN_EU, (8, 8)),
    ("a part of a text is not its value", [usd(8, rule("region_id", "reg"))], IN_EU, None),
    ("eq of a number", [usd(8, rule("item_total", "100"))], asked(item_total=100), (8, 8)),
    ("eq of a number compares values, not texts", [usd(8, rule("item_total", "100.0"))], asked(item_total=100), (8, 8)),
    ("eq of a number fails by a cent", [usd(8, rule("item_total", "100"))], asked(item_total=Decimal("100.01")), None),
    ("gt excludes the bound", [usd(8, rule("item_total", "100", "gt"))], asked(item_total=100), None),
    ("gt holds above it", [usd(8, rule("item_total", "100", "gt"))], asked(item_total=Decimal("100.01")), (8, 8)),
    ("gte includes the bound", [usd(8, rule("item_total", "100", "gte"))], asked(item_total=100), (8, 8)),
    ("gte is numeric: 9 is less than 100", [usd(8, rule("item_total", "100", "gte"))], asked(item_total=9), None),
    ("lt excludes the bound", [usd(8, rule("item_total", "100", "lt"))], asked(item_total=100), None),
    ("lt holds below it", [usd(8, rule("item_total", "100", "lt"))], asked(item_total=Decimal("99.99")), (8, 8)),
    ("lte includes the bound", [usd(8, rule("item_total", "100", "lte"))], asked(item_total=100), (8, 8)),
    ("a number is not compared with a word", [usd(8, rule("item_total", "much", "gte"))], asked(item_total=9), None),
    ("a number is not compared with NaN", [usd(8, rule("item_total", "NaN", "gte"))], asked(item_total=9), None),
    # Choosing among prices without a list
    ("the lower of two wins", [usd(10), usd(9)], ANYONE, (9, 9)),
    ("more rules win over a lower amount", [usd(9), usd(11, EU)], IN_EU, (11, 11)),
    (
        "two rules win over one",
        [usd(11, EU), usd(12, EU, VIP)],
        asked(region_id="reg_eu", customer__groups__id="vip"),
        (12, 12),
    ),
    # Lists
    ("a sale undercuts, and says from what", [usd(10), usd(8, price_list=sale())], ANYONE, (8, 10)),
    ("a dearer sale does not hold", [usd(10), usd(11, price_list=sale())], ANYONE, (10, 10)),
    ("a sale without another price has no original", [usd(8, price_list=sale())], ANYONE, (8, None)),
    ("an override takes the place of a lower price", [usd(10), usd(12, price_list=override())], ANYONE, (12, 12)),
    ("and of a more special one", [usd(9, EU), usd(12, price_list=override())], IN_EU, (12, 12)),
    ("a list begins at its moment", [usd(10), usd(8, price_list=sale(starts=NOW))], ANYONE, (8, 10)),
    ("and not before", [usd(10), usd(8, price_list=sale(starts=NOW + MOMENT))], ANYONE, (10, 10)),
    ("a list has ended at its end", [usd(10), usd(8, price_list=sale(ends=NOW))], ANYONE, (10, 10)),
    ("and not before it", [usd(10), usd(8, price_list=sale(ends=NOW + MOMENT))], ANYONE, (8, 10)),
    ("within both dates", [usd(10), usd(8, price_list=sale(starts=NOW - HOUR, ends=NOW + HOUR))], ANYONE, (8, 10)),
    ("an ended override leaves no trace", [usd(10), usd(12, price_list=override(ends=NOW))], ANYONE, (10, 10)),
    (
        "the list's rules hold for any of their values",
        [usd(10), usd(8, price_list=sale(VIPS))],
        asked(customer__groups__id=("new", "staff")),
        (8, 10),
    ),
    ("a list's rule fails where nothing is known", [usd(10), usd(8, price_list=sale(VIPS))], ANYONE, (10, 10)),
    (
        "all rules of a list must hold",
        [usd(10), usd(8, price_list=sale(VIPS, ListRule("region_id", ("reg_us",))))],
        asked(region_id="reg_eu", customer__groups__id="vip"),
        (10, 10),
    ),
    (
        "a list's rule knows a number by its text",
        [usd(10), usd(8, price_list=sale(ListRule("item_total", ("100",))))],
        asked(item_total=100),
        (8, 10),
    ),
    ("a list price keeps its own rules", [usd(10), usd(8, US, price_list=sale())], IN_EU, (10, 10)),
    ("a list price keeps its quantities", [usd(10), usd(8, least=5, price_list=sale())], asked(4), (10, 10)),
    (
        "the list with more rules comes first, though dearer",
        [usd(10), usd(7, price_list=sale()), usd(8, price_list=sale(VIPS))],
        asked(customer__groups__id="vip"),
        (8, 10),
    ),
    (
        "rules of price and list count together",
        [usd(10), usd(7, EU, price_list=sale()), usd(8, EU, price_list=sale(VIPS))],
        asked(region_id="reg_eu", customer__groups__id="vip"),
        (8, 10),
    ),
    (
        "of two sales the lower",
        [usd(10), usd(7, price_list=sale()), usd(8, price_list=sale())],
        ANYONE,
        (7, 10),
    ),
    (
        "a sale below an override undercuts it",
        [usd(10), usd(12, price_list=override()), usd(8, price_list=sale())],
        ANYONE,
        (8, 12),
    ),
    (
        "an override below a sale is used alone",
        [usd(10), usd(7, price_list=override()), usd(8, price_list=sale())],
        ANYONE,
        (7, 7),
    ),
]


@pytest.mark.parametrize(("candidates", "context", "expected"), [case[1:] for case in CASES], ids=[c[0] for c in CASES])
def test_the_price_that_holds(candidates, context, expected):
    for order in permutations(candidates):
        selected = select(order, currency_code="usd", now=NOW, **context)

        amounts = selected and (selected.calculated.amount, selected.original and selected.original.amount)
        assert amounts == expected


TIES = [
    ("two prices", [usd(10, id="b"), usd(10, id="a")], "a", "a"),
    ("two sales", [usd(10, id="z"), usd(8, id="b", price_list=sale()), usd(8, id="a", price_list=sale())], "a", "z"),
    ("a sale at the price itself", [usd(10, id="a"), usd(10, id="b", price_list=sale())], "b", "a"),
    ("an override at the price itself", [usd(10, id="a"), usd(10, id="b", price_list=override())], "b", "b"),
]


@pytest.mark.parametrize(("candidates", "calculated", "original"), [c[1:] for c in TIES], ids=[c[0] for c in TIES])
def test_a_tie_is_decided_the_same_way_always(candidates, calculated, original):
    for order in permutations(candidates):
        selected = select(order, currency_code="usd", now=NOW, attributes={})

        assert (selected.calculated.id, selected.original.id) == (calculated, original)
