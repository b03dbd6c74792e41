"""States of what has a title and a handle: products and collections."""

from dataclasses import replace
from typing import Any

from catalog.errors import HandleRequired
from catalog.products.product_details import handle_for
from kit.editing.states import State


def with_handle(state: State) -> State:
    """The state of a new row without a handle with the one that follows from its title; any other as it is."""
    given = state.given()
    if state.id is not None or "handle" in given or "title" not in given:
        return state
    try:
        derived: dict[str, Any] = {"handle": handle_for(title=str(given["title"]), handle=None)}
    except HandleRequired:
        return state  # its handle is empty, which is refused
    return replace(state, **derived)
