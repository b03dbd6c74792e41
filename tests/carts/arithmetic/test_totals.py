"""What lines and carts cost: the worked examples, and every total of the interface by name."""

from collections.abc import Iterable
from itertools import permutations

import pytest

from carts.arithmetic.line_totals import Line, LineTotals, add_up_lines, kept_totals
from carts.arithmetic.totals import CartTotals, add_up_cart
from kit.values import money
from tests.carts.worked_examples import executes, parts, read_line, scaled, written
from tests.docs.pages import STOREFRONT


def add_up(item: Line, currency_code: str) -> LineTotals:
    (totals,) = add_up_lines([item], currency_code=currency_code)
    return totals


def shown(totals: LineTotals | CartTotals, names: Iterable[str], currency_code: str) -> dict[str, str]:
    return {name: written(getattr(totals, name), money.digits(currency_code)) for name in names}


@executes("Lines")
def test_a_line_costs_what_the_document_says(given: dict[str, str], expected: dict[str, str]) -> None:
    code = given["currency"]
    totals = add_up(read_line(given["line"]), code)
    taxes = ", ".join(written(tax.total, money.digits(code)) for tax in totals.tax_lines)
    assert {"taxes": taxes, **shown(totals, expected.keys() - {"taxes"}, code)} == expected


@executes("Returned pieces")
def test_returned_pieces_give_back_what_the_document_says(given: dict[str, str], expected: dict[str, str]) -> None:
    line, code = read_line(given["line"]), given["currency"]
    units = line.quantity - int(given["returned"])
    amounts = kept_totals(line, units, currency_code=code)._asdict()
    assert {name: written(amounts[name], money.digits(code)) for name in expected} == expected


@executes("Carts")
def test_a_cart_costs_what_the_document_says(given: dict[str, str], expected: dict[str, str]) -> None:
    check_cart(given, expected)


@executes("What a cart costs", STOREFRONT)
def test_a_cart_costs_what_the_storefront_guide_says(given: dict[str, str], expected: dict[str, str]) -> None:
    check_cart(given, expected)


def check_cart(given: dict[str, str], expected: dict[str, str]) -> None:
    code = given["currency"]
    items, shipping = (
        add_up_lines(map(read_line, parts(given[column])), currency_code=code) for column in ("items", "shipping")
    )
    totals = add_up_cart(items, shipping, map(scaled, parts(given["credit lines"])))
    assert shown(totals, expected, code) == expected


def test_every_total_of_a_line_by_name() -> None:
    totals = add_up(read_line("2 x 10.00 plus 19 % and 1 % less 4.00 and 1.00"), "eur")
    expected = {
        "original_total": 24_0000,
        "original_subtotal": 20_0000,
        "original_tax_total": 4_0000,
        "item_total": 18_0000,
        "item_subtotal": 20_0000,
        "item_tax_total": 3_0000,
        "total": 18_0000,
        "subtotal": 20_0000,
        "tax_total": 3_0000,
        "discount_total": 6_0000,
        "discount_subtotal": 5_0000,
        "discount_tax_total": 1_0000,
        "refundable_total": 18_0000,
        "refundable_total_per_unit": 8_9900,
    }
    assert {name: getattr(totals, name) for name in expected} == expected
    assert [tax._asdict() for tax in totals.tax_lines] == [
        {"total": 2_8500, "subtotal": 3_8000},
        {"total": 1500, "subtotal": 2000},
    ]


def test_every_total_of_a_cart_by_name() -> None:
    items = add_up_lines(
        [read_line("2 x 10.00 plus 20 % less 5.00"), read_line("1 x 1.20 including 20 %")], currency_code="eur"
    )
    shipping = add_up_lines([read_line("1 x 6.00 including 20 % less 1.20")], currency_code="eur")
    expected = {
        "item_total": 19_2000,
        "item_subtotal": 21_0000,
        "item_tax_total": 3_2000,
        "original_item_total": 25_2000,
        "original_item_subtotal": 21_0000,
        "original_item_tax_total": 4_2000,
        "shipping_total": 4_8000,
        "shipping_subtotal": 5_0000,
        "shipping_tax_total": 8000,
        "original_shipping_total": 6_0000,
        "original_shipping_subtotal": 5_0000,
        "original_shipping_tax_total": 1_0000,
        "subtotal": 26_0000,
        "tax_total": 4_0000,
        "discount_subtotal": 6_0000,
        "discount_tax_total": 1_2000,
        "discount_total": 7_2000,
        "original_total": 31_2000,
        "original_subtotal": 26_0000,
        "original_tax_total": 5_2000,
        "credit_line_total": 3_0000,
        "gift_card_total": 3_0000,
        "total": 21_0000,
    }
    totals = add_up_cart(items, shipping, [3_0000])
    assert {name: getattr(totals, name) for name in expected} == expected


def test_amounts_finer_than_the_currency_are_rounded_once_on_the_line() -> None:
    totals = add_up(Line(3, 1_0050, adjustments=(25, 25)), "usd")
    assert (totals.subtotal, totals.discount_subtotal, totals.total) == (3_0200, 100, 3_0100)


def test_the_order_of_lines_changes_no_total_of_the_cart() -> None:
    lines = [
        read_line(text) for text in ("3 x 9.99 including 19 %", "1 x 0.10 plus 5 %", "2 x 3.33 plus 7 % less 0.49")
    ]
    costs = {add_up_cart(add_up_lines(some, currency_code="eur")) for some in permutations(lines)}
    assert len(costs) == 1


@pytest.mark.parametrize(("code", "rounded"), [("jpy", 2_0000), ("usd", 1_5100), ("kwd", 1_5060), ("clf", 1_5055)])
def test_each_currency_rounds_to_its_own_digits(code: str, rounded: int) -> None:
    assert add_up(Line(1, 1_5055), code).total == rounded
