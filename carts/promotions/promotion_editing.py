"""Promotions, as staff maintain them. Open carts lose deleted ones with their next change."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from carts.models import Promotion, PromotionCode, PromotionRule
from carts.promotions import campaign_editing, rule_editing
from carts.promotions.codes import delete_codes, keep_own_codes, restore_codes, taken_codes, without_code
from carts.promotions.derived import keep_derived, older_target, put_products, terms_of_older
from carts.promotions.promotion_terms import fault, fault_of_target
from carts.promotions.stated_tax import StatedTax, without_null
from carts.states import Allocation, PromotionTarget, RuleKind
from kit.domain.absent import ABSENT
from kit.domain.actor import Actor
from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.locked_rows import locked, require_deletion
from kit.editing.parts import PartWriter, is_given
from kit.editing.rows import RowEdits
from kit.editing.states import Edited, Fault, RowsRefused
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData

TERMS = (
    *("type", "value", "currency_id", "is_tax_inclusive", "starts_at", "ends_at"),
    *("usage_limit", "usage_limit_per_customer", "used"),
)
_TARGET = (
    *("kind", "target_type", "allocation", "max_quantity"),
    *("buy_rules_min_quantity", "apply_to_quantity"),
)


def _put(*, actor: Actor, states: Sequence[Any]) -> list[Edited[Promotion]]:
    states = [_with_kinds(_with_target(state)) for state in states]
    stated_tax = StatedTax(states)
    edits = RowEdits(Promotion, [without_null(state) for state in states], actor=actor)
    stated_tax.decide(edits)
    _follow_older(edits, states)
    uncoded = without_code(edits.replaced("status"))  # an older version has made them, and staff activate them
    recoded = {*edits.replaced("code"), *edits.replaced("has_codes"), *uncoded}
    coded = {
        index: row
        for index, (state, row) in enumerate(zip(states, edits.rows, strict=True))
        if state.id is None or row.pk in recoded
    }
    for fault_of_code in taken_codes(coded):
        edits.refuse(fault_of_code.index, fault_of_code.field, fault_of_code.error)
    for index, row in enumerate(edits.rows):
        if row.target_type == PromotionTarget.ORDER and row.allocation == Allocation.ACROSS:
            edits.change(index, {"allocation": None})  # what is off the order is shared by all of its lines
        problem = None if edits.is_refused(index) else _fault(row)
        if problem:
            edits.refuse(index, problem[0], InvalidData(f"The promotion {problem[1]}."))
    writer = PartWriter(edits.write(), states, actor=rule_editing.LISTS[0].trusted(actor))
    delete_codes(edits.replaced("has_codes"))
    keep_own_codes(coded)
    put_products(
        {row.pk: state.products for state, row in zip(states, edits.rows, strict=True) if state.products is not ABSENT}
    )
    for rules in rule_editing.LISTS:
        stored = writer.stored(rules)
        writer.replace(rules, rule_editing.known(writer.parts(rules), stored, writer.edited), stored)
    _check_together(edits.rows)
    keep_derived([row.pk for row in edits.rows])
    return writer.edited


def _fault(row: Promotion) -> tuple[str, str] | None:
    if row.is_automatic and row.has_codes:
        return "is_automatic", "has codes that customers enter, and is not automatic"
    return fault(**{name: getattr(row, name) for name in TERMS}) or fault_of_target(
        **{name: getattr(row, name) for name in _TARGET}
    )


def _check_together(rows: Sequence[Promotion]) -> None:
    """Raise RowsRefused for terms, rules and campaigns that contradict each other. At most two statements."""
    faults = []
    rules = rule_editing.rules_of([row.pk for row in rows])
    campaigns = campaign_editing.with_currency({row.campaign_id for row in rows})
    for index, row in enumerate(rows):
        faults += [Fault(index, name, InvalidData(text)) for name, text in rule_editing.problems(row, rules[row.pk])]
        campaign = campaigns.get(row.campaign_id)
        if problem := campaign and campaign_editing.currency_problem(row, campaign):
            faults.append(Fault(index, "campaign", InvalidData(problem)))
    if faults:
        raise RowsRefused(Promotion, faults)


def _with_kinds(state: Any) -> Any:
    """The state, whose rules say of which kind they are."""
    given = [kind for kind in RuleKind if is_given(state, kind)]
    return replace(state, **{kind: [{**rule, "kind": kind} for rule in getattr(state, kind)] for kind in given})


def _with_target(state: Any) -> Any:
    """A new state that older versions can read, which know neither target_type nor allocation."""
    if state.id is not None or state.target is not ABSENT:
        return state
    is_shared = state.target_type == PromotionTarget.ORDER or state.allocation == Allocation.ACROSS
    return replace(state, target=PromotionTarget.ORDER if is_shared else PromotionTarget.ITEMS)


def _follow_older(edits: RowEdits[Promotion], states: Sequence[Any]) -> None:
    """Give the rows the terms that the target of an older version means, where it is given. At most one statement."""
    shared = [state.id for state in states if state.target == PromotionTarget.ORDER and state.products is ABSENT]
    target_rules = PromotionRule.objects.not_deleted().filter(kind=RuleKind.TARGET_RULES, promotion__in=shared)
    ruled = {*target_rules.values_list("promotion_id", flat=True)} if shared else ()
    for index, (state, row) in enumerate(zip(states, edits.rows, strict=True)):
        if state.target is ABSENT or state.target_type is not ABSENT:
            continue
        if state.target == PromotionTarget.ITEMS == older_target(row) and state.id:
            continue
        has_target_rules = row.pk in ruled if state.products is ABSENT else bool(state.products)
        target_type, allocation = terms_of_older(state.target, has_target_rules=has_target_rules)
        edits.change(index, {"target_type": target_type, "allocation": allocation})


def restore(model: type[Promotion], ids: Sequence[str], *, actor: Actor) -> None:
    """Restore promotions with the codes that were deleted with them, of which there may be very many."""
    require_deletion(actor, model)
    locked(model, ids, deleted=True)
    restore_codes(ids)
    restore_rows(model, ids, actor=actor)


PARTS = ((PromotionCode, "promotion"),)
VERBS = RowVerbs(
    Promotion,
    (
        *("code", "is_automatic", "has_codes", "status", "kind", "type", "value", "currency_id", "is_tax_inclusive"),
        *("target_type", "allocation", "max_quantity", "buy_rules_min_quantity", "apply_to_quantity", "target"),
        *("description", "starts_at", "ends_at", "usage_limit", "usage_limit_per_customer", "priority"),
        *("combines_with_product", "combines_with_order", "combines_with_shipping", "campaign_id"),
        *("products", *RuleKind.values, "metadata"),
    ),
    extras=RuleKind.values,
    put=_put,
    delete=partial(delete_rows, parts=PARTS),
    restore=restore,
)
"""value: percent, or an amount of the currency. is_tax_inclusive: of a fixed amount; None, as where a new promotion has
none, for that of its currency.

has_codes: a change deletes all codes: the promotion's own, or those of its batches (code_batches.py).
rules, target_rules, buy_rules: all of that kind, each as its own verbs take it (rule_editing.py).
target, products: target_type and a target rule, as older forms and shop files give them.
"""
