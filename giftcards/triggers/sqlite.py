"""The triggers for SQLite.

A SQLite trigger does not know its cause, so the totals of a group are compared with the sums of its entries. An account
can have too many groups to add up for each entry: its totals may only change by the difference between the sums and the
totals of the newest entry's group. While an entry is added, to the account before the group, that is the entry; at any
other time it is 0.
"""

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


def _refusing(name: str, table: str, event: str, when: str, message: str, *, is_of_holds: bool = False) -> Trigger:
    return Trigger(
        name,
        table,
        f"CREATE TRIGGER {name} BEFORE {event} ON {table} WHEN {when} BEGIN SELECT RAISE(ABORT, '{message}'); END",
        is_of_holds,
    )


def _changed(*columns: str) -> str:
    return " OR ".join(f"OLD.{column} IS NOT NEW.{column}" for column in columns)


def _balance(name: str, table: str, *, follows: str) -> tuple[Trigger, Trigger]:
    """follows: the condition that changed totals must meet."""
    return (
        _refusing(f"{name}_begins_empty", table, "INSERT", "NEW.credits <> 0 OR NEW.debits <> 0", BALANCE_FOLLOWS),
        _refusing(
            f"{name}_balance_follows",
            table,
            "UPDATE",
            f"({_changed('credits', 'debits')}) AND NOT ({follows})",
            BALANCE_FOLLOWS,
        ),
    )


def _held(name: str, table: str, column: str, *, none: str, follows: str) -> tuple[Trigger, Trigger]:
    """The column follows from the holds. none: its value without any. follows: the value that they give it."""
    return (
        _refusing(
            f"{name}_begins_free", table, "INSERT", f"NEW.{column} IS NOT {none}", HELD_FOLLOWS, is_of_holds=True
        ),
        _refusing(
            f"{name}_hold_follows",
            table,
            "UPDATE",
            f"{_changed(column)} AND NEW.{column} IS NOT ({follows})",
            HELD_FOLLOWS,
            is_of_holds=True,
        ),
    )


def _sums(group_id: str) -> str:
    """The credits and the debits of the group's entries."""
    credited, debited = (
        f"coalesce(sum(amount) FILTER (WHERE type = '{entry_type}'), 0)" for entry_type in ("credit", "debit")
    )
    return f"(SELECT {credited}, {debited} FROM {ENTRIES} WHERE group_id = {group_id})"  # noqa: S608 - names of our own


_GROUP_FOLLOWS = f"(NEW.credits, NEW.debits) = {_sums('NEW.id')}"
_ACCOUNT_FOLLOWS = f"""
    EXISTS (
        SELECT 1 FROM {GROUPS} AS added WHERE account_id = NEW.id
            AND id = (SELECT group_id FROM {ENTRIES} ORDER BY rowid DESC LIMIT 1)
            AND (NEW.credits - OLD.credits + credits, NEW.debits - OLD.debits + debits) = {_sums("added.id")}
    )
"""  # noqa: S608 - names of our own
_ADDED = """
    credits = credits + CASE NEW.type WHEN 'credit' THEN NEW.amount ELSE 0 END,
    debits = debits + CASE NEW.type WHEN 'debit' THEN NEW.amount ELSE 0 END,
    updated_at = NEW.created_at
"""

TRIGGERS = (
    Trigger(
        "giftcards_entry_is_added",
        ENTRIES,
        f"""
        CREATE TRIGGER giftcards_entry_is_added AFTER INSERT ON {ENTRIES} BEGIN
            UPDATE {ACCOUNTS} SET {_ADDED} WHERE id = (SELECT account_id FROM {GROUPS} WHERE id = NEW.group_id);
            UPDATE {GROUPS} SET {_ADDED} WHERE id = NEW.group_id;
        END
        """,  # noqa: S608 - names of our own
    ),
    _refusing(
        "giftcards_entry_stays",
        ENTRIES,
        "UPDATE",
        f"OLD.note IS NULL OR NEW.note IS NOT NULL OR {_changed(*KEPT_OF_ENTRIES)}",
        ENTRY_STAYS,
    ),
    _refusing("giftcards_entry_remains", ENTRIES, "DELETE", "true", ENTRY_STAYS),
    *_balance("giftcards_account", ACCOUNTS, follows=_ACCOUNT_FOLLOWS),
    *_balance("giftcards_group", GROUPS, follows=_GROUP_FOLLOWS),
    _refusing(
        "giftcards_account_stays",
        ACCOUNTS,
        "UPDATE",
        _changed("id", "customer_id", "gift_card_id", "currency_code"),
        ACCOUNT_STAYS,
    ),
    _refusing("giftcards_group_stays", GROUPS, "UPDATE", _changed("id", "account_id", "code"), GROUP_STAYS),
    _refusing(
        "giftcards_card_stays",
        CARDS,
        "UPDATE",
        f"{_changed('id', 'value', 'currency_code', 'code')} "
        f"OR OLD.status <> 'pending' AND ({_changed('status', 'customer_id')})",
        CARD_STAYS,
    ),
    _refusing("giftcards_card_remains", CARDS, "DELETE", "OLD.status <> 'pending'", CARD_STAYS),
    Trigger(
        "giftcards_hold_is_made",
        HOLDS,
        f"""
        CREATE TRIGGER giftcards_hold_is_made AFTER INSERT ON {HOLDS} BEGIN
            UPDATE {CARDS} SET held_by = NEW.attempt_id WHERE id = NEW.card_id;
            UPDATE {ACCOUNTS} SET held = held + NEW.amount WHERE id = NEW.account_id;
        END
        """,  # noqa: S608 - names of our own
        is_of_holds=True,
    ),
    Trigger(
        "giftcards_hold_is_released",
        HOLDS,
        f"""
        CREATE TRIGGER giftcards_hold_is_released AFTER DELETE ON {HOLDS} BEGIN
            UPDATE {CARDS} SET held_by = NULL WHERE id = OLD.card_id;
            UPDATE {ACCOUNTS} SET held = held - OLD.amount WHERE id = OLD.account_id;
        END
        """,  # noqa: S608 - names of our own
        is_of_holds=True,
    ),
    _refusing("giftcards_hold_stays", HOLDS, "UPDATE", "true", HOLD_STAYS, is_of_holds=True),
    *_held(
        "giftcards_account",
        ACCOUNTS,
        "held",
        none="0",
        follows=f"SELECT coalesce(sum(amount), 0) FROM {HOLDS} WHERE account_id = NEW.id",  # noqa: S608 - names of our own
    ),
    *_held(
        "giftcards_card",
        CARDS,
        "held_by",
        none="NULL",
        follows=f"SELECT attempt_id FROM {HOLDS} WHERE card_id = NEW.id",  # noqa: S608 - names of our own
    ),
)
