"""The triggers for PostgreSQL. Reservations and movements are counted once a statement, however many rows it has."""

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

_ADDED = "SELECT inventory_item_id, location_id, quantity, updated_at FROM added WHERE deleted_at IS NULL"
_REMOVED = (
    "SELECT inventory_item_id, location_id, -quantity AS quantity, updated_at FROM removed WHERE deleted_at IS NULL"
)


def _counting(name: str, changes: str) -> str:
    """A function that adds the changes of reservations to their levels. changes: a query for them."""
    return f"""
    CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        wanted bigint;
        counted bigint;
    BEGIN
        WITH moved AS (
            SELECT inventory_item_id, location_id, sum(quantity) AS quantity, max(updated_at) AS moment
            FROM ({changes}) AS change GROUP BY inventory_item_id, location_id HAVING sum(quantity) <> 0
        ), changed AS (
            UPDATE {LEVELS} AS level SET reserved_quantity = level.reserved_quantity + moved.quantity,
                updated_at = greatest(level.updated_at, moved.moment)
            FROM moved
            WHERE level.inventory_item_id = moved.inventory_item_id AND level.location_id = moved.location_id
            RETURNING 1
        )
        SELECT (SELECT count(*) FROM moved), (SELECT count(*) FROM changed) INTO wanted, counted;
        IF counted <> wanted THEN
            RAISE EXCEPTION '{RESERVATION_HAS_LEVEL}' USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NULL;
    END $$
    """  # noqa: S608 - names of our own


FUNCTIONS = (
    """
    CREATE OR REPLACE FUNCTION catalog_stock_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation';
    END $$
    """,
    # A change by a trigger of reservations or movements runs one level deeper than one that a client sends.
    """
    CREATE OR REPLACE FUNCTION catalog_stock_refuse_from_outside() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF pg_trigger_depth() < 2 THEN
            RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NEW;
    END $$
    """,
    _counting("catalog_stock_reserve", _ADDED),
    _counting("catalog_stock_release", _REMOVED),
    _counting("catalog_stock_rebook", f"{_ADDED} UNION ALL {_REMOVED}"),
    f"""
    CREATE OR REPLACE FUNCTION catalog_stock_move() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        moved bigint;
    BEGIN
        UPDATE {LEVELS} AS level SET stocked_quantity = added.stocked_after,
            updated_at = greatest(level.updated_at, added.created_at)
        FROM added WHERE level.id = added.level_id AND level.stocked_quantity = added.stocked_before;
        GET DIAGNOSTICS moved = ROW_COUNT;
        IF moved <> (SELECT count(*) FROM added) THEN
            RAISE EXCEPTION '{MOVEMENT_CONTINUES}' USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NULL;
    END $$
    """,  # noqa: S608 - names of our own
)


def _refusing(name: str, table: str, when: str, message: str, *, by: str = "catalog_stock_refuse") -> Trigger:
    """when: the event, FOR EACH …, and the condition, if any."""
    return Trigger(name, table, f"CREATE TRIGGER {name} BEFORE {when} EXECUTE FUNCTION {by}('{message}')")


def _follows(name: str, column: str, message: str) -> Trigger:
    """Only the triggers of other tables change the level's column."""
    when = f"UPDATE ON {LEVELS} FOR EACH ROW WHEN (OLD.{column} IS DISTINCT FROM NEW.{column})"
    return _refusing(name, LEVELS, when, message, by="catalog_stock_refuse_from_outside")


def _following(name: str, table: str, event: str, rows: str, function: str) -> Trigger:
    """rows: what the function sees of the statement."""
    statement = (
        f"CREATE TRIGGER {name} AFTER {event} ON {table} REFERENCING {rows} FOR EACH STATEMENT "
        f"EXECUTE FUNCTION {function}()"
    )
    return Trigger(name, table, statement)


_BEFORE, _AFTER = "OLD TABLE AS removed", "NEW TABLE AS added"

TRIGGERS = (
    _following("catalog_reservation_is_made", RESERVATIONS, "INSERT", _AFTER, "catalog_stock_reserve"),
    _following("catalog_reservation_is_changed", RESERVATIONS, "UPDATE", f"{_BEFORE} {_AFTER}", "catalog_stock_rebook"),
    _following("catalog_reservation_is_removed", RESERVATIONS, "DELETE", _BEFORE, "catalog_stock_release"),
    _refusing(
        "catalog_reservations_stay", RESERVATIONS, f"TRUNCATE ON {RESERVATIONS} FOR EACH STATEMENT", RESERVED_FOLLOWS
    ),
    _following("catalog_movement_is_made", MOVEMENTS, "INSERT", _AFTER, "catalog_stock_move"),
    _refusing("catalog_movement_stays", MOVEMENTS, f"UPDATE OR DELETE ON {MOVEMENTS} FOR EACH ROW", MOVEMENT_STAYS),
    _refusing("catalog_movements_stay", MOVEMENTS, f"TRUNCATE ON {MOVEMENTS} FOR EACH STATEMENT", MOVEMENT_STAYS),
    _refusing(
        "catalog_level_begins_empty",
        LEVELS,
        f"INSERT ON {LEVELS} FOR EACH ROW WHEN (NEW.stocked_quantity <> 0 OR NEW.reserved_quantity <> 0)",
        LEVEL_BEGINS_EMPTY,
    ),
    _follows("catalog_level_reserved_follows", "reserved_quantity", RESERVED_FOLLOWS),
    _follows("catalog_level_stock_follows", "stocked_quantity", STOCK_FOLLOWS),
    _refusing(
        "catalog_level_stays",
        LEVELS,
        f"UPDATE ON {LEVELS} FOR EACH ROW WHEN ((OLD.id, OLD.inventory_item_id, OLD.location_id) "
        "IS DISTINCT FROM (NEW.id, NEW.inventory_item_id, NEW.location_id))",
        LEVEL_STAYS,
    ),
    _refusing(
        "catalog_level_remains",
        LEVELS,
        f"DELETE ON {LEVELS} FOR EACH ROW WHEN (OLD.reserved_quantity <> 0)",
        LEVEL_REMAINS,
    ),
)
