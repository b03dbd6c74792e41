"""After any changes a cart's kept rows are what its state says, computed again from plain rules."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carts.arithmetic.discounts import apply_promotions
from carts.arithmetic.line_totals import Line, LineTotals, add_up_lines
from carts.arithmetic.offers import ActivePromotion, DiscountableLine
from carts.arithmetic.totals import add_up_cart
from carts.checkout import taxes
from carts.details import creation, details, promotion_codes
from carts.lines import line_addition, line_change, line_removal
from carts.models import Cart
from carts.states import PromotionTarget, PromotionType
from tests.carts.worked_examples import older_terms
from tests.factories import carts as make
from tests.factories.pricing import PriceListFactory, price
from tests.factories.products import VariantFactory
from tests.factories.taxes import tax_rate

RATES = {None: 80_000, "us-ny": 88_750, "us-ca": 72_500, "de": 190_000, "fr": 200_000}
"""By where a cart goes, in 1/10,000 percent; None is Boston's, without a rate of its own."""
ADDRESSES: dict[str, dict[str, str]] = {
    "none": {},
    "us-ny": {"country_code": "US", "province": "NY"},
    "us-ca": {"country_code": "us", "province": "us-ca"},
    "de": {"country_code": "de"},
}
CODES = ("TENTH", "FIVE", "MUGS")


@dataclass
class Shop:
    """What is sold, and where. prices: (from so many pieces, amount, what a sale undercut) by variant and currency."""

    variants: list[Any]
    regions: dict[str, Any]
    prices: dict[tuple[int, str], list[tuple[int, str, str | None]]]
    offers: dict[str, ActivePromotion]


@dataclass
class State:
    """What a cart was given."""

    region: str = "us"
    place: str = "none"
    codes: set[str] = field(default_factory=set)
    lines: list[list[int]] = field(default_factory=list)


@pytest.fixture
def shop(db: None) -> Shop:
    america = make.selling_region(tax_rate=8)
    europe = make.selling_region(currency_id="eur", tax_rate=20, is_tax_inclusive=True, countries=["de", "fr"])
    tax_rate("us", "8.875", "us-ny")
    tax_rate("us", "7.25", "us-ca")
    tax_rate("de", 19)
    prices = {
        (0, "usd"): [(1, "10", None), (4, "8.99", None)],
        (0, "eur"): [(1, "9.49", None)],
        (1, "usd"): [(1, "2.5", "3.33")],
        (1, "eur"): [(1, "2.99", None)],
        (2, "usd"): [(1, "0.07", None)],
        (2, "eur"): [(1, "0.05", None)],
    }
    variants = [VariantFactory(manage_inventory=False) for _ in range(3)]
    sale = PriceListFactory()
    for (number, currency), amounts in prices.items():
        region = europe if currency == "eur" else None
        for least, amount, before in amounts:
            price(variants[number], before or amount, currency, region=region, min_quantity=least)
            if before:
                price(variants[number], amount, currency, price_list=sale)
    promotions = {
        "TENTH": make.PromotionFactory(code="TENTH"),
        "FIVE": make.PromotionFactory(
            code="FIVE", type=PromotionType.FIXED, target=PromotionTarget.ORDER, value=5, currency_id="usd"
        ),
        "MUGS": make.PromotionFactory(
            code="MUGS", target=PromotionTarget.ORDER, value="33.3333", products=[variants[0].product]
        ),
        "AUTOMATIC": make.PromotionFactory(
            code="AUTOMATIC", is_automatic=True, target=PromotionTarget.ORDER, value=3, products=[variants[2].product]
        ),
    }
    offers = {
        code: ActivePromotion(
            promotion.pk,
            PromotionType(promotion.type),
            value=int(Decimal(promotion.value) * 10_000),
            is_tax_inclusive=promotion.is_tax_inclusive,
            **older_terms(promotion.target, {product.pk for product in promotion.products.all()}),
        )
        for code, promotion in promotions.items()
    }
    return Shop(variants, {"us": america, "eu": europe}, prices, offers)


STEPS = st.one_of(
    st.tuples(st.just("add"), st.integers(0, 2), st.integers(1, 5)),
    st.tuples(st.just("quantity"), st.integers(0, 3), st.integers(0, 6)),
    st.tuples(st.just("remove"), st.integers(0, 3)),
    st.tuples(st.just("region"), st.sampled_from(("us", "eu"))),
    st.tuples(st.just("address"), st.sampled_from(sorted(ADDRESSES))),
    st.tuples(st.just("codes"), st.sets(st.sampled_from(CODES))),
    st.tuples(st.just("more codes"), st.sampled_from(CODES)),
    st.tuples(st.just("fewer codes"), st.sampled_from(CODES)),
    st.tuples(st.just("taxes")),
)


def test_what_is_kept_of_a_cart_is_what_its_state_says(shop: Shop) -> None:
    @given(st.lists(STEPS, min_size=1, max_size=10))
    @settings(max_examples=40)
    def walk(steps: list[tuple[Any, ...]]) -> None:
        actor, state = make.shopper(), State()
        cart_id = creation.create(actor=actor, region_id=shop.regions["us"].pk)
        for step in steps:
            for verb, values in reported(shop, state, cart_id, step):
                verb(actor=actor, cart_id=cart_id, **values)
                assert kept(cart_id) == expected(shop, state), step

    walk()


Call = tuple[Any, dict[str, Any]]


def reported(shop: Shop, state: State, cart_id: str, step: tuple[Any, ...]) -> Iterator[Call]:
    """The call that the step is, if it can be one; the state becomes what it leads to."""
    name, *values = step
    if name in LINE_STEPS:
        ids = list(Cart.objects.get(pk=cart_id).items.order_by("pk").values_list("pk", flat=True))
        if values[0] < len(ids):
            yield LINE_STEPS[name](state, ids, *values)
    else:
        yield from CART_STEPS[name](shop, state, *values)


def _add(shop: Shop, state: State, number: int, quantity: int) -> Iterator[Call]:
    line = next((line for line in state.lines if line[0] == number), None)
    if line is None:
        state.lines.append([number, quantity])
    else:
        line[1] += quantity
    yield line_addition.add, {"variant_id": shop.variants[number].pk, "quantity": quantity}


def _change(state: State, ids: list[str], index: int, quantity: int) -> Call:
    state.lines[index][1] = quantity
    if not quantity:
        del state.lines[index]
    return line_change.change, {"line_id": ids[index], "quantity": quantity}


def _remove(state: State, ids: list[str], index: int) -> Call:
    del state.lines[index]
    return line_removal.remove, {"line_id": ids[index]}


def _move(shop: Shop, state: State, region: str) -> Iterator[Call]:
    state.region = region
    if not _is_in(state.place, region):
        state.place = "none"
    if region == "eu":
        state.codes.discard("FIVE")
    yield details.change, {"region_id": shop.regions[region].pk}


def _address(shop: Shop, state: State, place: str) -> Iterator[Call]:
    if _is_in(place, state.region):
        state.place = place
        yield details.change, {"shipping_address": ADDRESSES[place] or None}


def _set_codes(shop: Shop, state: State, codes: set[str]) -> Iterator[Call]:
    """Codes that take nothing off stay beside a list that names none of them."""
    sent = {code for code in codes if code != "FIVE" or state.region == "us"}
    applied = {promotion_id for *_, numbers in expected(shop, state)["lines"] for promotion_id, _ in numbers[-1]}
    waiting = {code for code in state.codes if shop.offers[code].promotion_id not in applied}
    state.codes = sent | waiting if sent and not sent & waiting else sent
    yield details.change, {"promo_codes": sorted(sent)}


def _add_code(shop: Shop, state: State, code: str) -> Iterator[Call]:
    if code != "FIVE" or state.region == "us":
        state.codes.add(code)
        yield promotion_codes.add, {"promo_codes": [code]}


def _remove_code(shop: Shop, state: State, code: str) -> Iterator[Call]:
    state.codes.discard(code)
    yield promotion_codes.remove, {"promo_codes": [code]}


def _calculate(shop: Shop, state: State) -> Iterator[Call]:
    yield taxes.calculate, {}


LINE_STEPS = {"quantity": _change, "remove": _remove}
CART_STEPS = {
    "add": _add,
    "region": _move,
    "address": _address,
    "codes": _set_codes,
    "more codes": _add_code,
    "fewer codes": _remove_code,
    "taxes": _calculate,
}


def _is_in(place: str, region: str) -> bool:
    return place == "none" or (place == "de") == (region == "eu")


def expected(shop: Shop, state: State) -> dict[str, Any]:
    """What is to be kept: of the cart, and of each line."""
    currency = {"us": "usd", "eu": "eur"}[state.region]
    without = "fr" if state.region == "eu" else None
    rate = RATES[without if state.place == "none" else state.place]
    priced = []
    for number, quantity in state.lines:
        _, amount, before = [each for each in shop.prices[number, currency] if each[0] <= quantity][-1]
        priced.append((quantity, *(each and int(Decimal(each) * 10_000) for each in (amount, before))))
    plain = [Line(quantity, amount, state.region == "eu", [rate]) for quantity, amount, _ in priced]
    offers = [shop.offers[code] for code in ("AUTOMATIC", *state.codes)]
    seen = [
        DiscountableLine(
            line.unit_price * line.quantity,
            line.quantity,
            line.is_tax_inclusive,
            rate,
            shop.variants[number].product_id,
        )
        for line, (number, _) in zip(plain, state.lines, strict=True)
    ]
    taken = apply_promotions(seen, sorted(offers, key=lambda offer: offer.promotion_id), currency_code=currency)
    reduced = [
        line._replace(adjustments=[part.amount for part in parts]) for line, parts in zip(plain, taken, strict=True)
    ]
    totals = add_up_lines(reduced, currency_code=currency)
    whole = add_up_cart(totals)._asdict()
    automatic = shop.offers["AUTOMATIC"].promotion_id
    return {
        "cart": {name: Decimal(whole[name]) / 10_000 for name in CART},
        "promotions": {shop.offers[code].promotion_id for code in state.codes}
        | {part.promotion_id for parts in taken for part in parts if part.promotion_id == automatic},
        "lines": [
            (shop.variants[number].pk, quantity, amount, before, state.region == "eu", _numbers(line, rate, parts))
            for (number, _), (quantity, amount, before), line, parts in zip(
                state.lines, priced, totals, taken, strict=True
            )
        ],
    }


def _numbers(line: LineTotals, rate: int, taken: Any) -> list[Any]:
    (tax,) = line.tax_lines
    return [
        *(getattr(line, name) for name in LINE),
        [(rate, tax.total, tax.subtotal)],
        sorted((part.promotion_id, part.amount) for part in taken),
    ]


def kept(cart_id: str) -> dict[str, Any]:
    """What is stored, in the shape of `expected`."""
    cart = Cart.objects.get(pk=cart_id)
    return {
        "cart": {name: getattr(cart, name) for name in CART},
        "promotions": set(cart.promotions.values_list("pk", flat=True)),
        "lines": [
            (
                line.variant_id,
                line.quantity,
                _raw(line.unit_price),
                None if line.compare_at_unit_price is None else _raw(line.compare_at_unit_price),
                line.is_tax_inclusive,
                [
                    *(_raw(getattr(line, name)) for name in LINE),
                    [(_raw(tax.rate), _raw(tax.total), _raw(tax.subtotal)) for tax in line.tax_lines.all()],
                    sorted((part.promotion_id, _raw(part.stated_amount)) for part in line.adjustments.all()),
                ],
            )
            for line in cart.items.order_by("pk")
        ],
    }


def _raw(amount: Decimal) -> int:
    return int(amount * 10_000)


CART = (
    *("total", "subtotal", "tax_total", "discount_total", "discount_subtotal", "discount_tax_total"),
    *("original_total", "original_tax_total", "item_total", "item_subtotal", "item_tax_total"),
    *("original_item_total", "original_item_tax_total", "shipping_total", "credit_line_total"),
)
LINE = (
    *("total", "subtotal", "tax_total", "discount_total", "discount_subtotal", "discount_tax_total"),
    *("original_total", "original_tax_total", "refundable_total", "refundable_total_per_unit"),
)
