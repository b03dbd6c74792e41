"""Deleting stock locations and shipping profiles, which rows of the apps above refer to."""

from collections.abc import Callable, Sequence
from typing import Any

from kit.domain.actor import Actor
from kit.domain.base_model import BaseModel
from kit.domain.hooks import Wired
from kit.editing.deletion import delete_rows

Uses = Callable[[type[BaseModel], Sequence[Any]], None]
REQUIRE_UNUSED = Wired[Uses]("what uses stock locations and shipping profiles")
"""Raises RowInUse for a row that cannot be deleted."""


def delete_unused(model: type[BaseModel], ids: Sequence[str], *, actor: Actor) -> None:
    """Delete rows that nothing uses. Raises NotFound, RowInUse, Forbidden."""
    delete_rows(model, ids, actor=actor, check=lambda rows: REQUIRE_UNUSED.get()(model, rows))
