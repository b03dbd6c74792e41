"""Triggers that keep notes as they were written, for every client of the database.

A note has a text, and is never changed or deleted; erasing a person's data empties its text and nothing else. A
migration that changes the table starts with `remove` and ends with `install` (see kit/database/triggers.py).
`verify_ledger` lists missing triggers.
"""

from kit.database.triggers import Trigger, TriggerSet

NOTES = "orders_ordernote"
NOTE_STAYS = "A note is neither changed nor removed"
NOTE_HAS_TEXT = "A note has a text"


_REFUSE = """
    CREATE OR REPLACE FUNCTION orders_note_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation';
    END $$
"""
_KEPT = ("id", "order_id", "created_by", "created_at")


def _on_postgresql(name: str, when: str, message: str) -> Trigger:
    return Trigger(name, NOTES, f"CREATE TRIGGER {name} BEFORE {when} EXECUTE FUNCTION orders_note_refuse('{message}')")


def _on_sqlite(name: str, event: str, when: str, message: str) -> Trigger:
    statement = (
        f"CREATE TRIGGER {name} BEFORE {event} ON {NOTES} WHEN {when} BEGIN SELECT RAISE(ABORT, '{message}'); END"
    )
    return Trigger(name, NOTES, statement)


def _changed(unequal: str) -> str:
    """Whether an update does more than empty the text. unequal: the operator that compares nulls, too."""
    return " OR ".join(("NEW.text <> ''", *(f"OLD.{column} {unequal} NEW.{column}" for column in _KEPT)))


TRIGGERS: dict[str, tuple[Trigger, ...]] = {
    "postgresql": (
        _on_postgresql(
            "orders_note_has_text", f"INSERT ON {NOTES} FOR EACH ROW WHEN (trim(NEW.text) = '')", NOTE_HAS_TEXT
        ),
        _on_postgresql(
            "orders_note_unchanged",
            f"UPDATE ON {NOTES} FOR EACH ROW WHEN ({_changed('IS DISTINCT FROM')})",
            NOTE_STAYS,
        ),
        _on_postgresql("orders_note_stays", f"DELETE ON {NOTES} FOR EACH ROW", NOTE_STAYS),
        _on_postgresql("orders_notes_stay", f"TRUNCATE ON {NOTES} FOR EACH STATEMENT", NOTE_STAYS),
    ),
    "sqlite": (
        _on_sqlite("orders_note_has_text", "INSERT", "trim(NEW.text) = ''", NOTE_HAS_TEXT),
        _on_sqlite("orders_note_unchanged", "UPDATE", _changed("IS NOT"), NOTE_STAYS),
        _on_sqlite("orders_note_stays", "DELETE", "true", NOTE_STAYS),
    ),
}

_SET = TriggerSet(lambda vendor, _: TRIGGERS[vendor], functions=(_REFUSE,))
install, remove, missing = _SET.install, _SET.remove, _SET.missing
