"""Addresses of pictures in the rows of a verb: checked, and written as rows store them."""

from collections.abc import Sequence

from kit.editing.changes import Row
from kit.editing.rows import RowEdits
from kit.editing.states import State
from pictures.errors import UnusablePicture
from pictures.finding import usable_addresses


def use_addresses(edits: RowEdits[Row], states: Sequence[State], column: str) -> None:
    """Put each given address into the column. Adds a fault for a picture that cannot be used.

    At most two statements, and none without pictures of this shop.
    """
    addresses = {index: state.given_values().get(column) for index, state in enumerate(states)}
    given = {index: address for index, address in addresses.items() if isinstance(address, str)}
    usable = usable_addresses({*given.values()})
    for index, address in given.items():
        found = usable[address]
        if isinstance(found, UnusablePicture):
            edits.refuse(index, column, found)
        else:
            edits.change(index, {column: found})
