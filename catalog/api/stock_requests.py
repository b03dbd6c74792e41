"""Requests that change stock: the values of their inputs as the verbs take them, for REST and GraphQL."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from catalog.api.resources import INVENTORY_LEVELS
from catalog.models import InventoryItem
from catalog.stock.errors import InventoryItemNotFound
from catalog.stock.stock_batch import change_levels
from catalog.stock.stock_changes import MOST_CHANGES, StockChange, change_stock
from kit.domain.actor import Actor
from kit.query.conditions import Is
from kit.query.paging import Page
from kit.reads.plans.rows import Answer
from kit.values.json import JSONObject


def change(*, actor: Actor, id: str, location_id: str, note: str = "", **values: Any) -> None:
    """Change the level of the item with that id."""
    change_stock(actor=actor, changes=[StockChange(id, location_id, **values)], note=note)


def batch(
    *,
    actor: Actor,
    create: Collection[Mapping[str, Any]] = (),
    update: Collection[Mapping[str, Any]] = (),
    delete: Collection[str] = (),
    **options: Any,
) -> JSONObject:
    """Create, update and delete levels. Returns the former two as they are now."""
    done = change_levels(
        actor=actor,
        create=[StockChange(**values) for values in create],
        update=[StockChange(**values) for values in update],
        delete=[*delete],
        **options,
    )
    shown = _read([*done.created, *done.updated], actor)
    return {
        "created": [shown[key] for key in done.created],
        "updated": [shown[key] for key in done.updated],
        "deleted": [*delete],
    }


def batch_of_item(
    *,
    actor: Actor,
    id: str,
    create: Collection[Mapping[str, Any]] = (),
    update: Collection[Mapping[str, Any]] = (),
    **others: Any,
) -> JSONObject:
    """Like `batch`, for the levels of one item. Raises InventoryItemNotFound."""
    if InventoryItem.objects.not_deleted().with_id(id) is None:
        raise InventoryItemNotFound(id)
    item = {"inventory_item_id": id}
    new, changed = ([{**item, **each} for each in levels] for levels in (create, update))
    return batch(actor=actor, create=new, update=changed, item_id=id, **others)


def _read(level_ids: Collection[str], actor: Actor) -> Mapping[str, Answer]:
    """The levels by id; one statement."""
    asked = INVENTORY_LEVELS.list_query({})
    query = replace(asked, condition=Is("pk__in", tuple(level_ids)), page=Page(limit=MOST_CHANGES))
    return {str(level["id"]): level for level in INVENTORY_LEVELS.page(query, actor).answers}
