"""Whether fixed amounts of promotions include tax: as they say, else as their currency states prices.

Why: docs/decisions/carts.md#a-fixed-amount-says-whether-it-includes-tax.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import F

from carts.models import Promotion
from carts.states import PromotionType
from kit.domain.absent import ABSENT
from kit.editing.rows import RowEdits
from shop.models import Currency, Region


class StatedTax:
    """What the states of promotions say of their tax, to be decided once their rows have their other values."""

    def __init__(self, states: Sequence[Any]) -> None:
        """One statement where a stored promotion is given a type or currency without saying whether it includes tax."""
        silent = [state for state in states if state.is_tax_inclusive is ABSENT and state.id is not None]
        asked = [state.id for state in silent if not state.type is state.currency_id is ABSENT]
        rows = Promotion.objects.filter(pk__in=asked).values_list("pk", "type", "currency_id") if asked else ()
        stored = {pk: (kind, currency) for pk, kind, currency in rows}
        self._is_open = [_is_open(state, stored.get(str(state.id))) for state in states]

    def decide(self, edits: RowEdits[Promotion]) -> None:
        """Give the rows that say nothing what their currency says; a percentage has no tax. At most one statement."""
        is_open = {index: edits.rows[index] for index, each in enumerate(self._is_open) if each}
        stated = {index: row.currency_id for index, row in is_open.items() if row.type == PromotionType.FIXED}
        codes = {*stated.values()} - {None}
        flags = dict(Currency.objects.filter(pk__in=codes).values_list("pk", "is_tax_inclusive")) if codes else {}
        for index in is_open:
            edits.change(index, {"is_tax_inclusive": flags.get(stated.get(index), False)})


def without_null(state: Any) -> Any:
    """The state as its row can take it."""
    return replace(state, is_tax_inclusive=ABSENT) if state.is_tax_inclusive is None else state


def _is_open(state: Any, stored: tuple[str, str | None] | None) -> bool:
    """Whether the currency decides. stored: type and currency, of a promotion that may change them."""
    if state.is_tax_inclusive is not ABSENT:
        return state.is_tax_inclusive is None
    if state.id is None or stored is None:
        return state.id is None
    wanted = (state.type, state.currency_id)
    return any(new not in (ABSENT, old) for new, old in zip(wanted, stored, strict=True))


def currencies_and_regions_that_differ(codes: Iterable[str] | None = None) -> Mapping[str, str]:
    """By currency, in words, that some of its regions state prices the other way. One statement.

    codes: of the currencies to ask about; by default all.
    """
    regions = Region.objects.not_deleted().exclude(is_tax_inclusive=F("currency__is_tax_inclusive"))
    if codes is not None:
        regions = regions.filter(currency__in=[*codes])
    names: dict[str, list[str]] = {}
    taxed: dict[str, bool] = {}
    for code, is_taxed, name in regions.order_by("name").values_list(
        "currency_id", "currency__is_tax_inclusive", "name"
    ):
        names.setdefault(code, []).append(name)
        taxed[code] = is_taxed
    return {
        code: f"{code} states prices {_with(taxed[code])} tax, but {', '.join(names[code])} {_with(not taxed[code])} it"
        for code in sorted(names)
    }


def _with(is_taxed: bool) -> str:
    return "with" if is_taxed else "without"
