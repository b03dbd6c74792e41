"""Requests that change stock: the values of their inputs as the verbs take them, for REST and GraphQL."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from catalog.api.resources import INVENTORY_LEVELS
from catalog.stock.stock_batch import change_levels
from catalog.stock.stock_changes import MOST_CHANGES, StockChange, change_stock
from kit.domain.actor import Actor
from kit.query.conditions import Is
from kit.query.paging import Page
from kit.reads.plans.rows import Answer
from kit.values.json import JSONObject


def change(*, actor: Actor, id: str, location_id: str, note: str = "", **values: int) -> None:
    """Change the level of the item with that id."""
    change_stock(actor=actor, changes=[StockChange(id, location_id, **values)], note=note)


def batch(
    *,
    actor: Actor,
    create: Collection[Mapping[str, Any]] = (),
    update: Collection[Mapping[str, Any]] = (),
    note: str = "",
) -> JSONObject:
    """Create and update levels. Returns them as they are now."""
    done = change_levels(
        actor=actor,
        create=[StockChange(**values) for values in create],
        update=[StockChange(**values) for values in update],
        note=note,
    )
    shown = _read([*done.created, *done.updated], actor)
    return {
        "created": [shown[key] for key in done.created],
        "updated": [shown[key] for key in done.updated],
        "deleted": [],
    }


def _read(level_ids: Collection[str], actor: Actor) -> Mapping[str, Answer]:
    """The levels by id; one statement."""
    asked = INVENTORY_LEVELS.list_query({})
    query = replace(asked, condition=Is("pk__in", tuple(level_ids)), page=Page(limit=MOST_CHANGES))
    return {str(level["id"]): level for level in INVENTORY_LEVELS.page(query, actor).answers}
