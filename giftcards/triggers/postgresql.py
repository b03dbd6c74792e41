"""The triggers for PostgreSQL."""

from giftcards.triggers.trigger import (
    ACCOUNT_STAYS,
    ACCOUNTS,
    BALANCE_FOLLOWS,
    CARD_STAYS,
    CARDS,
    ENTRIES,
    ENTRY_STAYS,
    GROUP_STAYS,
    GROUPS,
    HELD_FOLLOWS,
    HOLD_STAYS,
    HOLDS,
    KEPT_OF_ENTRIES,
    Trigger,
)

FUNCTIONS = (
    """
    CREATE OR REPLACE FUNCTION giftcards_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation';
    END $$
    """,
    # A change by an entry's own trigger runs one level deeper than one that a client sends.
    """
    CREATE OR REPLACE FUNCTION giftcards_refuse_from_outside() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF pg_trigger_depth() < 2 THEN
            RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NEW;
    END $$
    """,
    f"""
    CREATE OR REPLACE FUNCTION giftcards_add_entry() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        credited bigint := CASE NEW.type WHEN 'credit' THEN NEW.amount ELSE 0 END;
        debited bigint := CASE NEW.type WHEN 'debit' THEN NEW.amount ELSE 0 END;
        its_account text;
    BEGIN
        UPDATE {GROUPS} SET credits = credits + credited, debits = debits + debited, updated_at = NEW.created_at
            WHERE id = NEW.group_id RETURNING account_id INTO its_account;
        UPDATE {ACCOUNTS} SET credits = credits + credited, debits = debits + debited, updated_at = NEW.created_at
            WHERE id = its_account;
        RETURN NULL;
    END $$
    """,  # noqa: S608 - names of our own
    f"""
    CREATE OR REPLACE FUNCTION giftcards_hold() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        UPDATE {CARDS} SET held_by = NEW.attempt_id WHERE id = NEW.card_id;
        UPDATE {ACCOUNTS} SET held = held + NEW.amount WHERE id = NEW.account_id;
        RETURN NULL;
    END $$
    """,  # noqa: S608 - names of our own
    f"""
    CREATE OR REPLACE FUNCTION giftcards_release() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        UPDATE {CARDS} SET held_by = NULL WHERE id = OLD.card_id;
        UPDATE {ACCOUNTS} SET held = held - OLD.amount WHERE id = OLD.account_id;
        RETURN NULL;
    END $$
    """,  # noqa: S608 - names of our own
)


def _refusing(
    name: str, table: str, when: str, message: str, *, by: str = "giftcards_refuse", is_of_holds: bool = False
) -> Trigger:
    """when: the event, FOR EACH …, and the condition, if any."""
    statement = f"CREATE TRIGGER {name} BEFORE {when} EXECUTE FUNCTION {by}('{message}')"
    return Trigger(name, table, statement, is_of_holds)


def _held(name: str, table: str, column: str, *, none: str) -> tuple[Trigger, Trigger]:
    """The column follows from the holds. none: its value without any."""
    return (
        _refusing(
            f"{name}_begins_free",
            table,
            f"INSERT ON {table} FOR EACH ROW WHEN (NEW.{column} IS DISTINCT FROM {none})",
            HELD_FOLLOWS,
            is_of_holds=True,
        ),
        _refusing(
            f"{name}_hold_follows",
            table,
            f"UPDATE ON {table} FOR EACH ROW WHEN (OLD.{column} IS DISTINCT FROM NEW.{column})",
            HELD_FOLLOWS,
            by="giftcards_refuse_from_outside",
            is_of_holds=True,
        ),
    )


def _balance(name: str, table: str) -> tuple[Trigger, Trigger]:
    changes = "(OLD.credits, OLD.debits) IS DISTINCT FROM (NEW.credits, NEW.debits)"
    return (
        _refusing(
            f"{name}_begins_empty",
            table,
            f"INSERT ON {table} FOR EACH ROW WHEN (NEW.credits <> 0 OR NEW.debits <> 0)",
            BALANCE_FOLLOWS,
        ),
        _refusing(
            f"{name}_balance_follows",
            table,
            f"UPDATE ON {table} FOR EACH ROW WHEN ({changes})",
            BALANCE_FOLLOWS,
            by="giftcards_refuse_from_outside",
        ),
    )


_NOTE_ERASED = "OLD.note IS NOT NULL AND NEW.note IS NULL AND " + " AND ".join(
    f"OLD.{column} IS NOT DISTINCT FROM NEW.{column}" for column in KEPT_OF_ENTRIES
)

TRIGGERS = (
    Trigger(
        "giftcards_entry_is_added",
        ENTRIES,
        f"CREATE TRIGGER giftcards_entry_is_added AFTER INSERT ON {ENTRIES} FOR EACH ROW "
        "EXECUTE FUNCTION giftcards_add_entry()",
    ),
    _refusing("giftcards_entry_remains", ENTRIES, f"DELETE ON {ENTRIES} FOR EACH ROW", ENTRY_STAYS),
    _refusing(
        "giftcards_entry_stays", ENTRIES, f"UPDATE ON {ENTRIES} FOR EACH ROW WHEN (NOT ({_NOTE_ERASED}))", ENTRY_STAYS
    ),
    _refusing("giftcards_entries_stay", ENTRIES, f"TRUNCATE ON {ENTRIES} FOR EACH STATEMENT", ENTRY_STAYS),
    *_balance("giftcards_account", ACCOUNTS),
    *_balance("giftcards_group", GROUPS),
    _refusing(
        "giftcards_account_stays",
        ACCOUNTS,
        f"UPDATE ON {ACCOUNTS} FOR EACH ROW WHEN ((OLD.id, OLD.customer_id, OLD.gift_card_id, OLD.currency_code) "
        "IS DISTINCT FROM (NEW.id, NEW.customer_id, NEW.gift_card_id, NEW.currency_code))",
        ACCOUNT_STAYS,
    ),
    _refusing(
        "giftcards_group_stays",
        GROUPS,
        f"UPDATE ON {GROUPS} FOR EACH ROW "
        "WHEN ((OLD.id, OLD.account_id, OLD.code) IS DISTINCT FROM (NEW.id, NEW.account_id, NEW.code))",
        GROUP_STAYS,
    ),
    _refusing(
        "giftcards_card_stays",
        CARDS,
        f"UPDATE ON {CARDS} FOR EACH ROW WHEN ((OLD.id, OLD.value, OLD.currency_code, OLD.code) "
        "IS DISTINCT FROM (NEW.id, NEW.value, NEW.currency_code, NEW.code) OR OLD.status <> 'pending' AND "
        "(OLD.status, OLD.customer_id) IS DISTINCT FROM (NEW.status, NEW.customer_id))",
        CARD_STAYS,
    ),
    _refusing(
        "giftcards_card_remains", CARDS, f"DELETE ON {CARDS} FOR EACH ROW WHEN (OLD.status <> 'pending')", CARD_STAYS
    ),
    Trigger(
        "giftcards_hold_is_made",
        HOLDS,
        f"CREATE TRIGGER giftcards_hold_is_made AFTER INSERT ON {HOLDS} FOR EACH ROW EXECUTE FUNCTION giftcards_hold()",
        is_of_holds=True,
    ),
    Trigger(
        "giftcards_hold_is_released",
        HOLDS,
        f"CREATE TRIGGER giftcards_hold_is_released AFTER DELETE ON {HOLDS} FOR EACH ROW "
        "EXECUTE FUNCTION giftcards_release()",
        is_of_holds=True,
    ),
    _refusing("giftcards_hold_stays", HOLDS, f"UPDATE ON {HOLDS} FOR EACH ROW", HOLD_STAYS, is_of_holds=True),
    _refusing("giftcards_holds_stay", HOLDS, f"TRUNCATE ON {HOLDS} FOR EACH STATEMENT", HOLD_STAYS, is_of_holds=True),
    *_held("giftcards_account", ACCOUNTS, "held", none="0"),
    *_held("giftcards_card", CARDS, "held_by", none="NULL"),
)
