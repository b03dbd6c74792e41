"""The rules of shipping options, as staff maintain them."""

from collections.abc import Sequence
from functools import partial

from fulfillment.models import ShippingOption, ShippingOptionRule
from fulfillment.options.rule_attributes import LISTS, OF_OPTIONS, option_rule_fault
from kit.editing.deletion import delete_rows
from kit.editing.locked_rows import lock_parents
from kit.editing.rows import RowEdits
from kit.editing.states import RowState
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData


def _check(edits: RowEdits[ShippingOptionRule], states: Sequence[RowState]) -> None:
    for index, (row, state) in enumerate(zip(edits.rows, states, strict=True)):
        values = [row.value] if isinstance(row.value, str) else row.value
        if row.attribute not in OF_OPTIONS:
            if state.id is None:  # others were stored before attributes were checked; they can stay
                known = ", ".join(OF_OPTIONS)
                edits.refuse(index, "attribute", InvalidData(f"Rules cannot compare '{row.attribute}', but: {known}"))
        elif not isinstance(values, list) or (row.operator not in LISTS and len(values) != 1):
            edits.refuse(index, "value", InvalidData("This operator takes a single value."))
        elif problem := option_rule_fault(row.attribute, row.operator, values):
            edits.refuse(index, problem[0], InvalidData(f"It {problem[1]}."))
        else:
            edits.change(index, {"value": values if row.operator in LISTS else values[0]})


VERBS = RowVerbs(
    ShippingOptionRule,
    ("shipping_option_id", "attribute", "operator", "value"),
    lock=partial(lock_parents, ShippingOption, field="shipping_option_id"),
    check=_check,
    delete=delete_rows,
)
"""value: a list of texts for `in` and `nin`, else a text."""
