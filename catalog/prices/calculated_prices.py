"""The calculated price: what the buyer pays, the original price before a sale, each with and without tax.

Whether an amount includes tax is a setting of the region for prices with a rule for that region, and of the currency
for all other prices. The taxes are those of the product in the buyer's place (shop/taxes.py); without a region the
amounts with and without tax are null. An exempt buyer pays the amount without tax, which is shown as both.
Why: docs/decisions/catalogue.md#amounts-with-and-without-tax-need-a-region,
docs/decisions/taxes.md#exempt-customers-pay-net-prices.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from catalog.prices import price_parameters
from catalog.prices.price_candidates import load_candidates
from catalog.prices.price_context import PriceContext
from catalog.prices.price_selection import Candidate, Selected, select
from catalog.prices.taxes import taxed
from catalog.rule_attributes import REGION
from kit.reads.declarations.computed import Batch
from kit.reads.plans.rows import stored_number
from kit.values.json import JSONObject
from kit.values.timestamps import now
from shop.taxes import Goods

Shown = Mapping[str, object]
"""An object that is ready for the JSON writer."""


class Calculated(NamedTuple):
    """A calculated price. amount: in 1/10,000. shown: the whole calculated price, ready for JSON."""

    amount: int
    is_tax_inclusive: bool
    shown: Shown


def load_calculated_prices(batch: Batch) -> list[Shown | None]:
    """The calculated price for each row: a variant's price set or None, then what its taxes depend on.

    None where no price applies. Two statements for any number of rows, plus those that find the price context and the
    taxes of its place.
    """
    goods = {
        price_set_id: Goods(product_id, type_id, is_giftcard=bool(is_giftcard))
        for price_set_id, product_id, type_id, is_giftcard in batch.rows
        if price_set_id is not None
    }
    context = price_parameters.context_of(batch.context, batch.actor) if goods else None
    if context is None:
        return [None] * len(batch.rows)
    found = calculate(goods, context)
    return [found.get(row[0]) for row in batch.rows]


GOODS_COLUMNS = ("price_set_id", "product_id", "product__type_id", "product__is_giftcard")
"""The columns of variants for `load_calculated_prices`."""


def calculate(goods: Mapping[str, Goods], context: PriceContext) -> dict[str, Shown]:
    """The calculated prices, ready for JSON, by price set; sets without an applicable price are left out.

    goods: what each price set is of.
    """
    found = calculated(load_candidates([*goods], context.currency_code), goods, context)
    return {price_set_id: each.shown for price_set_id, each in found.items()}


def calculated(
    candidates: Mapping[str, Sequence[Candidate]], goods: Mapping[str, Goods], context: PriceContext
) -> dict[str, Calculated]:
    """Like `calculate`, from prices that are loaded already, by price set."""
    moment = now()
    selected = {key: found for key, of_set in candidates.items() if (found := _selected(of_set, context, moment))}
    rates = _rates([goods[key] for key in selected], context)
    return {
        key: _calculated(key, found, context, of_goods)
        for (key, found), of_goods in zip(selected.items(), rates, strict=True)
    }


def quoted(amount: int, goods: Goods, context: PriceContext, *, is_tax_inclusive: bool) -> Calculated:
    """The calculated price for an amount that a provider has quoted, as if it were stored. amount: in 1/10,000."""
    context = replace(context, region_is_tax_inclusive=is_tax_inclusive, currency_is_tax_inclusive=is_tax_inclusive)
    price = Candidate("", amount, context.currency_code)
    [rates] = _rates([goods], context)
    found = _calculated("", Selected(price, price), context, rates)
    unknown = {"id": None, "calculated_price": _NO_PRICE.reference, "original_price": _NO_PRICE.reference}
    return found._replace(shown={**found.shown, **unknown})


Rates = Sequence[int]
"""The rates of the taxes on a price, in 1/10,000 percent."""


def _rates(goods: Sequence[Goods], context: PriceContext) -> Sequence[Rates | None]:
    """The rates of each of the goods; None for all of them without a place."""
    if context.tax_place is None:
        return [None] * len(goods)
    return [[tax.rate for tax in taxes] for taxes in context.tax_place.taxes_on(goods)]


def _selected(candidates: Sequence[Candidate], context: PriceContext, moment: datetime) -> Selected | None:
    return select(
        candidates,
        currency_code=context.currency_code,
        attributes=context.attributes,
        quantity=context.quantity,
        now=moment,
    )


def _calculated(price_set_id: str, selected: Selected, context: PriceContext, rates: Rates | None) -> Calculated:
    calculated, original = selected
    now = _shown_price(calculated, context, rates)
    before = now if original is calculated else _shown_price(original, context, rates)
    shown: JSONObject = {
        "id": price_set_id,
        "is_calculated_price_price_list": calculated.price_list is not None,
        "is_calculated_price_tax_inclusive": now.is_tax_inclusive,
        "calculated_amount": now.amount,
        "calculated_amount_with_tax": now.with_tax,
        "calculated_amount_without_tax": now.without_tax,
        "is_original_price_price_list": original is not None and original.price_list is not None,
        "is_original_price_tax_inclusive": before.is_tax_inclusive,
        "original_amount": before.amount,
        "original_amount_with_tax": before.with_tax,
        "original_amount_without_tax": before.without_tax,
        "currency_code": context.currency_code,
        "calculated_price": now.reference,
        "original_price": before.reference,
    }
    return Calculated(calculated.amount, now.is_tax_inclusive, shown)


def includes_tax(price: Candidate, context: PriceContext) -> bool:
    """Whether the amount includes tax: the region decides for prices with its rule, the currency for all others."""
    is_inclusive = context.currency_is_tax_inclusive
    if context.region_is_tax_inclusive != is_inclusive and any(rule.attribute == REGION for rule in price.rules):
        return context.region_is_tax_inclusive
    return is_inclusive


class _ShownPrice(NamedTuple):
    """One price as the answer shows it, all amounts in major units."""

    amount: float | None
    with_tax: float | None
    without_tax: float | None
    is_tax_inclusive: bool
    reference: JSONObject


_NO_PRICE = _ShownPrice(
    None, None, None, False, dict.fromkeys(("id", "price_list_id", "price_list_type", "min_quantity", "max_quantity"))
)
"""The original price where all applicable prices belong to sales."""


def _shown_price(price: Candidate | None, context: PriceContext, rates: Rates | None) -> _ShownPrice:
    if price is None:
        return _NO_PRICE
    price_id, amount, currency_code, least, most, _, terms = price
    is_inclusive = includes_tax(price, context)
    reference: JSONObject = {
        "id": price_id,
        "price_list_id": terms and terms.id,
        "price_list_type": terms and terms.type,
        "min_quantity": least or None,
        "max_quantity": most or None,
    }
    shown = stored_number(amount)
    if rates is None:
        return _ShownPrice(shown, None, None, is_inclusive, reference)
    with_tax, without_tax = taxed(amount, rates=rates, is_inclusive=is_inclusive, currency_code=currency_code)
    if context.is_tax_exempt:
        with_tax = without_tax
    return _ShownPrice(shown, stored_number(with_tax), stored_number(without_tax), is_inclusive, reference)
