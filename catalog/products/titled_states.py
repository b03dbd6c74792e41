"""States of what has a title and a handle: products and collections."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, cast

from catalog import former_handles
from catalog.errors import HandleRequired
from catalog.models.former_handles import FORMER
from catalog.products.product_details import handle_for
from kit.domain.absent import ABSENT
from kit.editing.rows import RowEdits
from kit.editing.states import Row, State
from kit.errors import InvalidData
from kit.values import text
from kit.values.text import LONGEST


def with_handle(state: State) -> State:
    """The state of a new row without a handle, or with an empty one, with that which follows from its title.

    Any other is returned as it is.
    """
    given = state.given_values()
    if state.id is not None or given.get("handle") or "title" not in given:
        return state
    try:
        derived: dict[str, Any] = {"handle": handle_for(title=str(given["title"]), handle=None)}
    except HandleRequired:
        return state  # its handle is empty, which is refused
    return replace(state, **derived)


def replace_former_handles(edits: RowEdits[Row], states: Sequence[State]) -> None:
    """Give the rows the former handles of their states. Call it before the edits are written.

    A row with a handle that cannot be stored is refused.
    """
    given = {index: state.given_values().get(FORMER, ABSENT) for index, state in enumerate(states)}
    wanted = {index: cast("Collection[str]", each) for index, each in given.items() if each is not ABSENT}
    for index, handles in wanted.items():
        for problem in filter(None, (text.fault(each, longest=LONGEST, may_be_blank=False) for each in handles)):
            edits.refuse(index, FORMER, InvalidData(f"Value for field '{FORMER}' {problem}"))
    changed = former_handles.replace(
        {edits.rows[index]: handles for index, handles in wanted.items() if not edits.is_refused(index)}
    )
    for index, row in enumerate(edits.rows):
        if row.pk in changed:
            edits.note_change(index)
