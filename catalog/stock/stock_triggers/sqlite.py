"""The triggers for SQLite.

A SQLite trigger does not know its cause. So the reserved quantity is compared with the sum of the reservations; and the
stock may only change as the newest movement says, from what it was before to what it is after. Once that has happened,
the stock is no longer what it was before.
"""

from catalog.stock.stock_triggers.names import (
    LEVEL_BEGINS_EMPTY,
    LEVEL_REMAINS,
    LEVEL_STAYS,
    LEVELS,
    MOVEMENT_CONTINUES,
    MOVEMENT_STAYS,
    MOVEMENTS,
    RESERVATION_HAS_LEVEL,
    RESERVATIONS,
    RESERVED_FOLLOWS,
    STOCK_FOLLOWS,
)
from kit.database.triggers import Trigger


def _reserved(level: str) -> str:
    """The sum of the level's reservations. level: the row's name in the statement."""
    return (
        f"(SELECT coalesce(sum(quantity), 0) FROM {RESERVATIONS} WHERE deleted_at IS NULL "  # noqa: S608 - names of our own
        f"AND inventory_item_id = {level}.inventory_item_id AND location_id = {level}.location_id)"
    )


def _is_of(row: str) -> str:
    """Whether a level is that of the reservation. row: OLD or NEW."""
    return f"inventory_item_id = {row}.inventory_item_id AND location_id = {row}.location_id"


def _count(row: str, moment: str) -> str:
    """The statement that adds up the reservations of the level that the row is of."""
    return (
        f"UPDATE {LEVELS} SET reserved_quantity = {_reserved(LEVELS)}, updated_at = max(updated_at, {moment}) "  # noqa: S608 - names of our own
        f"WHERE {_is_of(row)};"
    )


_HAS_LEVEL = (
    f"SELECT RAISE(ABORT, '{RESERVATION_HAS_LEVEL}') WHERE NEW.deleted_at IS NULL "  # noqa: S608 - names of our own
    f"AND NOT EXISTS (SELECT 1 FROM {LEVELS} WHERE {_is_of('NEW')});"
)
_COUNTED = "quantity, deleted_at, inventory_item_id, location_id"
_NEWEST_SAYS = f"""
    EXISTS (
        SELECT 1 FROM {MOVEMENTS} WHERE rowid = (SELECT max(rowid) FROM {MOVEMENTS}) AND level_id = NEW.id
            AND stocked_before = OLD.stocked_quantity AND stocked_after = NEW.stocked_quantity
    )
"""  # noqa: S608 - names of our own


def _following(name: str, table: str, event: str, work: str) -> Trigger:
    return Trigger(name, table, f"CREATE TRIGGER {name} AFTER {event} ON {table} BEGIN {work} END")


def _refusing(name: str, table: str, event: str, when: str, message: str) -> Trigger:
    statement = (
        f"CREATE TRIGGER {name} BEFORE {event} ON {table} WHEN {when} BEGIN SELECT RAISE(ABORT, '{message}'); END"
    )
    return Trigger(name, table, statement)


def _changed(*columns: str) -> str:
    return " OR ".join(f"OLD.{column} IS NOT NEW.{column}" for column in columns)


TRIGGERS = (
    _following(
        "catalog_reservation_is_made", RESERVATIONS, "INSERT", f"{_HAS_LEVEL} {_count('NEW', 'NEW.updated_at')}"
    ),
    _following(
        "catalog_reservation_is_changed",
        RESERVATIONS,
        f"UPDATE OF {_COUNTED}",
        f"{_HAS_LEVEL} {_count('OLD', 'NEW.updated_at')} {_count('NEW', 'NEW.updated_at')}",
    ),
    _following("catalog_reservation_is_removed", RESERVATIONS, "DELETE", _count("OLD", "OLD.updated_at")),
    _following(
        "catalog_movement_is_made",
        MOVEMENTS,
        "INSERT",
        f"SELECT RAISE(ABORT, '{MOVEMENT_CONTINUES}') WHERE NOT EXISTS "  # noqa: S608 - names of our own
        f"(SELECT 1 FROM {LEVELS} WHERE id = NEW.level_id AND stocked_quantity = NEW.stocked_before); "
        f"UPDATE {LEVELS} SET stocked_quantity = NEW.stocked_after, updated_at = max(updated_at, NEW.created_at) "
        "WHERE id = NEW.level_id;",
    ),
    _refusing("catalog_movement_stays", MOVEMENTS, "UPDATE", "true", MOVEMENT_STAYS),
    _refusing("catalog_movement_remains", MOVEMENTS, "DELETE", "true", MOVEMENT_STAYS),
    _refusing(
        "catalog_level_begins_empty",
        LEVELS,
        "INSERT",
        "NEW.stocked_quantity <> 0 OR NEW.reserved_quantity <> 0",
        LEVEL_BEGINS_EMPTY,
    ),
    _refusing(
        "catalog_level_reserved_follows",
        LEVELS,
        "UPDATE",
        f"{_changed('reserved_quantity')} AND NEW.reserved_quantity IS NOT {_reserved('NEW')}",
        RESERVED_FOLLOWS,
    ),
    _refusing(
        "catalog_level_stock_follows",
        LEVELS,
        "UPDATE",
        f"{_changed('stocked_quantity')} AND NOT {_NEWEST_SAYS}",
        STOCK_FOLLOWS,
    ),
    _refusing("catalog_level_stays", LEVELS, "UPDATE", _changed("id", "inventory_item_id", "location_id"), LEVEL_STAYS),
    _refusing("catalog_level_remains", LEVELS, "DELETE", "OLD.reserved_quantity <> 0", LEVEL_REMAINS),
)
