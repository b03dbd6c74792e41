"""Price lists with their rules, as staff maintain them. Prices of a deleted list do not apply."""

from collections.abc import Sequence
from typing import Any

from catalog.models import PriceList, PriceListRule
from catalog.rule_attributes import buyer_rules_problem
from kit.domain.absent import ABSENT
from kit.domain.actor import Actor
from kit.editing.children import Children
from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.rows import RowEdits
from kit.editing.states import Edited
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData


class ListRules(Children[PriceListRule]):
    """The rules of price lists."""

    model = PriceListRule
    parent = "price_list_id"
    key = ("attribute",)


def _put(*, actor: Actor, states: Sequence[Any]) -> list[Edited[PriceList]]:
    edits = RowEdits(PriceList, states, actor=actor)
    rules = ListRules([state.id for state in states if state.id is not None and state.rules is not ABSENT])
    for index, (state, row) in enumerate(zip(states, edits.rows, strict=True)):
        if row.starts_at and row.ends_at and row.starts_at >= row.ends_at:
            edits.refuse(index, "ends_at", InvalidData("The end must be after the start."))
        if state.rules is ABSENT:
            continue
        if problem := buyer_rules_problem(state.rules, each=list):
            edits.refuse(index, "rules", InvalidData(problem))
        elif rules.replace(row.pk, {(name,): {"value": texts} for name, texts in state.rules.items()}):
            edits.note_change(index)
    edited = edits.write()
    rules.write()
    return edited


VERBS = RowVerbs(
    PriceList,
    ("title", "description", "type", "status", "starts_at", "ends_at", "rules"),
    extras=("rules",),
    put=_put,
    delete=delete_rows,
    restore=restore_rows,
)
"""A list is valid from starts_at until before ends_at. rules: texts by attribute; they replace the stored ones."""
