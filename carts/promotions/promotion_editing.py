"""Promotions, as staff maintain them. Open carts lose deleted ones with their next change."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from carts.models import Promotion, PromotionCode, PromotionRule
from carts.promotions.codes import keep_own_codes, taken_codes
from carts.promotions.derived import keep_derived, older_target, put_products, terms_of_older
from carts.promotions.promotion_terms import fault
from carts.promotions.stated_tax import StatedTax, without_null
from carts.states import PromotionTarget, RuleKind
from kit.domain.absent import ABSENT
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
    _follow_older(edits, states)
    coded = {
        index: row
        for index, (state, row) in enumerate(zip(states, edits.rows, strict=True))
        if state.id is None or row.pk in edits.replaced("code")
    }
    for fault_of_code in taken_codes(coded):
        edits.refuse(fault_of_code.index, fault_of_code.field, fault_of_code.error)
    for index, row in enumerate(edits.rows):
        problem = None if edits.is_refused(index) else fault(**{name: getattr(row, name) for name in TERMS})
        if problem:
            edits.refuse(index, problem[0], InvalidData(f"The promotion {problem[1]}."))
    edited = edits.write()
    keep_own_codes(coded)
    put_products(
        {row.pk: state.products for state, row in zip(states, edits.rows, strict=True) if state.products is not ABSENT}
    )
    keep_derived([row.pk for row in edits.rows])
    return edited


def _follow_older(edits: RowEdits[Promotion], states: Sequence[Any]) -> None:
    """Give the rows the terms that the target of an older version means, where it is given. At most one statement."""
    shared = [state.id for state in states if state.target == PromotionTarget.ORDER and state.products is ABSENT]
    target_rules = PromotionRule.objects.not_deleted().filter(kind=RuleKind.TARGET_RULES, promotion__in=shared)
    ruled = {*target_rules.values_list("promotion_id", flat=True)} if shared else ()
    for index, (state, row) in enumerate(zip(states, edits.rows, strict=True)):
        if state.target is ABSENT or (state.target == PromotionTarget.ITEMS == older_target(row) and state.id):
            continue
        has_target_rules = row.pk in ruled if state.products is ABSENT else bool(state.products)
        target_type, allocation = terms_of_older(state.target, has_target_rules=has_target_rules)
        edits.change(index, {"target_type": target_type, "allocation": allocation})


PARTS = ((PromotionCode, "promotion"),)
VERBS = RowVerbs(
    Promotion,
    (
        *("code", "is_automatic", "type", "value", "currency_id", "is_tax_inclusive", "target", "starts_at", "ends_at"),
        *("usage_limit", "usage_limit_per_customer", "products", "metadata"),
    ),
    put=_put,
    delete=partial(delete_rows, parts=PARTS),
    restore=partial(restore_rows, parts=PARTS),
)
"""value: percent, or an amount of the currency. products: ids; none for all.

is_tax_inclusive: of a fixed amount; None, as where a new promotion has none, for that of its currency.
"""
