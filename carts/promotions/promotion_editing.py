"""Promotions, as staff maintain them. Open carts lose deleted ones with their next change."""

from collections.abc import Sequence
from typing import Any

from carts.models import Promotion
from carts.promotions.promotion_terms import fault
from carts.promotions.stated_tax import StatedTax, without_null
from kit.domain.actor import Actor
from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.rows import RowEdits
from kit.editing.states import Edited
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData

TERMS = (
    *("type", "value", "currency_id", "is_tax_inclusive", "starts_at", "ends_at"),
    *("usage_limit", "usage_limit_per_customer", "used"),
)


def _put(*, actor: Actor, states: Sequence[Any]) -> list[Edited[Promotion]]:
    stated_tax = StatedTax(states)
    edits = RowEdits(Promotion, [without_null(state) for state in states], actor=actor)
    stated_tax.decide(edits)
    for index, row in enumerate(edits.rows):
        problem = None if edits.is_refused(index) else fault(**{name: getattr(row, name) for name in TERMS})
        if problem:
            edits.refuse(index, problem[0], InvalidData(f"The promotion {problem[1]}."))
    return edits.write()


VERBS = RowVerbs(
    Promotion,
    (
        *("code", "is_automatic", "type", "value", "currency_id", "is_tax_inclusive", "target", "starts_at", "ends_at"),
        *("usage_limit", "usage_limit_per_customer", "products", "metadata"),
    ),
    put=_put,
    delete=delete_rows,
    restore=restore_rows,
)
"""value: percent, or an amount of the currency. products: ids; none for all.

is_tax_inclusive: of a fixed amount; None, as where a new promotion has none, for that of its currency.
"""
