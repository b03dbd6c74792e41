"""Selects the calculated and the original price among several. No database."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from catalog.prices.price_rules import Attributes, ListRule, Rule, holds, list_rule_holds
from catalog.states import PriceListType


class ListTerms(NamedTuple):
    """The terms of an active price list: valid from starts_at until before ends_at, if all rules hold."""

    id: str
    type: str = PriceListType.SALE
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    rules: tuple[ListRule, ...] = ()


class Candidate(NamedTuple):
    """A price that may apply. amount: exact, in 1/10,000 of a major unit, as stored."""

    id: str
    amount: int
    currency_code: str
    min_quantity: int | None = None
    max_quantity: int | None = None
    rules: tuple[Rule, ...] = ()
    price_list: ListTerms | None = None


class Selected(NamedTuple):
    """calculated: the price to pay. original: the best price outside sales; None if all belong to sales."""

    calculated: Candidate
    original: Candidate | None


def select(
    candidates: Iterable[Candidate],
    *,
    currency_code: str,
    attributes: Attributes,
    now: datetime,
    quantity: int | None = None,
) -> Selected | None:
    """The prices that apply to that many pieces, None if none does. Without a quantity, those for a single piece.

    The best price, among those of lists and among the others, is the one with the most rules, then the lowest amount,
    then the first id. An override replaces the other prices; a sale does if it is not higher.
    """
    base: Candidate | None = None
    listed: Candidate | None = None
    override: Candidate | None = None
    for each in candidates:
        if each.currency_code != currency_code or not _fits(each, quantity):
            continue
        if each.rules and not all(holds(rule, attributes) for rule in each.rules):
            continue
        terms = each.price_list
        if terms is None:
            base = _better(each, base)
        elif is_open(terms, attributes, now):
            listed = _better(each, listed)
            if terms.type == PriceListType.OVERRIDE:
                override = _better(each, override)
    calculated = base
    if listed is not None and (base is None or listed is override or listed.amount <= base.amount):
        calculated = listed
    return None if calculated is None else Selected(calculated, override or base)


def _fits(price: Candidate, quantity: int | None) -> bool:
    least, most = price.min_quantity, price.max_quantity
    if quantity is None:
        return least is None or least <= 1
    return (least is None or least <= quantity) and (most is None or quantity <= most)


def is_open(terms: ListTerms, attributes: Attributes, now: datetime) -> bool:
    """Whether prices of the active list apply now, in that context."""
    return (
        (terms.starts_at is None or terms.starts_at <= now)
        and (terms.ends_at is None or now < terms.ends_at)
        and all(list_rule_holds(rule, attributes) for rule in terms.rules)
    )


def _better(one: Candidate, other: Candidate | None) -> Candidate:
    return one if other is None or _rank(one) < _rank(other) else other


def _rank(price: Candidate) -> tuple[int, int, str]:
    rules = len(price.rules) + (len(price.price_list.rules) if price.price_list else 0)
    return (-rules, price.amount, price.id)
