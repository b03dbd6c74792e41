"""Triggers that keep invoices and credit notes as they were written, for every client of the database.

Documents, their lines and taxes are never changed or deleted; erasing a person's data empties the buyer and nothing
else. A migration that changes one of the tables starts with `remove` and ends with `install` (see
kit/database/triggers.py). `verify_ledger` lists missing triggers.
"""

from collections.abc import Iterator

from kit.database.triggers import Trigger, TriggerSet

INVOICES, LINES, TAXES = "orders_invoice", "orders_invoiceline", "orders_invoicetax"
DOCUMENT_STAYS = "An invoice or a credit note is neither changed nor removed"

_REFUSE = """
    CREATE OR REPLACE FUNCTION orders_invoice_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation';
    END $$
"""
_KEPT = (
    *("id", "kind", "series_year", "number", "shown_number", "order_id", "corrects_id", "reason", "issued_at"),
    *("issued_on", "supplied_on", "due_on", "currency_code", "locale", "country_code", "seller", "subtotal"),
    *("tax_total", "total", "paid_by", "created_by"),
)


def _changed(unequal: str, empty: str) -> str:
    """Whether an update does more than empty the buyer. unequal: the operator that compares nulls, too."""
    return " OR ".join((f"NEW.buyer <> {empty}", *(f"OLD.{column} {unequal} NEW.{column}" for column in _KEPT)))


def _on_postgresql() -> Iterator[Trigger]:
    changed = _changed("IS DISTINCT FROM", "'{}'::jsonb")
    only_when = {INVOICES: f" WHEN ({changed})"}
    for table in (INVOICES, LINES, TAXES):
        events = {
            "unchanged": f"UPDATE ON {table} FOR EACH ROW{only_when.get(table, '')}",
            "stays": f"DELETE ON {table} FOR EACH ROW",
            "rows_stay": f"TRUNCATE ON {table} FOR EACH STATEMENT",
        }
        for name, when in events.items():
            own = f"{table}_{name}"
            refuse = f"EXECUTE FUNCTION orders_invoice_refuse('{DOCUMENT_STAYS}')"
            yield Trigger(own, table, f"CREATE TRIGGER {own} BEFORE {when} {refuse}")


def _on_sqlite() -> Iterator[Trigger]:
    for table in (INVOICES, LINES, TAXES):
        conditions = {
            "unchanged": ("UPDATE", _changed("IS NOT", "'{}'") if table == INVOICES else "true"),
            "stays": ("DELETE", "true"),
        }
        for name, (event, condition) in conditions.items():
            own = f"{table}_{name}"
            refuse = f"BEGIN SELECT RAISE(ABORT, '{DOCUMENT_STAYS}'); END"
            yield Trigger(own, table, f"CREATE TRIGGER {own} BEFORE {event} ON {table} WHEN {condition} {refuse}")


TRIGGERS: dict[str, tuple[Trigger, ...]] = {"postgresql": tuple(_on_postgresql()), "sqlite": tuple(_on_sqlite())}

_SET = TriggerSet(lambda vendor, _: TRIGGERS[vendor], functions=(_REFUSE,))
install, remove, missing = _SET.install, _SET.remove, _SET.missing
