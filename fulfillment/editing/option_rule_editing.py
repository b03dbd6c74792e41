"""Creating, changing and deleting the rules of shipping options, any number at once."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from fulfillment.models import ShippingOption, ShippingOptionRule
from fulfillment.options.rule_attributes import LISTS, OF_OPTIONS, option_rule_fault
from kit.domain.absent import ABSENT, Absent
from kit.domain.actor import Actor
from kit.editing.deletion import delete_rows
from kit.editing.locked_rows import lock_parents
from kit.editing.rows import RowEdits
from kit.editing.states import Edited, RowState
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleState(RowState):
    """The desired state of a rule. value: a list of texts for `in` and `nin`, else a text."""

    shipping_option_id: str | Absent = ABSENT
    attribute: str | Absent = ABSENT
    operator: str | Absent = ABSENT
    value: Sequence[str] | str | Absent = ABSENT


@transaction.atomic
def put(*, actor: Actor, states: Sequence[RuleState]) -> list[Edited[ShippingOptionRule]]:
    """Create and change rules: all of them, or none. Raises NotFound, RowsRefused, Forbidden."""
    lock_parents(ShippingOption, states, "shipping_option_id")
    edits = RowEdits(ShippingOptionRule, states, actor=actor)
    for index, row in enumerate(edits.rows):
        values = [row.value] if isinstance(row.value, str) else row.value
        if row.attribute not in OF_OPTIONS:  # stored before attributes were checked; it can stay
            continue
        if not isinstance(values, list) or (row.operator not in LISTS and len(values) != 1):
            edits.refuse(index, "value", InvalidData("This operator takes a single value."))
        elif problem := option_rule_fault(row.attribute, row.operator, values):
            edits.refuse(index, problem[0], InvalidData(f"It {problem[1]}."))
        else:
            edits.change(index, {"value": values if row.operator in LISTS else values[0]})
    return edits.write()


@transaction.atomic
def delete(*, actor: Actor, ids: Sequence[str]) -> None:
    """Soft-delete rules. Raises NotFound, Forbidden."""
    delete_rows(ShippingOptionRule, ids, actor=actor)


VERBS = RowVerbs(state=RuleState, put=put, delete=delete)
