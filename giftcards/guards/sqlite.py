"""The triggers as SQLite has them.

A SQLite trigger cannot tell what has set it off, so that a kept balance is compared with what it is the sum of: a
group's with its entries, an account's with its groups.
"""

from giftcards.guards.triggers import (
    ACCOUNT_STAYS,
    ACCOUNTS,
    BALANCE_FOLLOWS,
    CARD_STAYS,
    CARDS,
    ENTRIES,
    ENTRY_STAYS,
    GROUP_STAYS,
    GROUPS,
    Trigger,
)


def _refusing(name: str, table: str, event: str, when: str, message: str) -> Trigger:
    return Trigger(
        name,
        table,
        f"CREATE TRIGGER {name} BEFORE {event} ON {table} WHEN {when} BEGIN SELECT RAISE(ABORT, '{message}'); END",
    )


def _changed(*columns: str) -> str:
    return " OR ".join(f"OLD.{column} IS NOT NEW.{column}" for column in columns)


def _balance(name: str, table: str, *, credits: str, debits: str) -> tuple[Trigger, Trigger]:
    """credits, debits: what the kept ones have to equal."""
    return (
        _refusing(f"{name}_begins_empty", table, "INSERT", "NEW.credits <> 0 OR NEW.debits <> 0", BALANCE_FOLLOWS),
        _refusing(
            f"{name}_balance_follows",
            table,
            "UPDATE",
            f"({_changed('credits', 'debits')}) AND (NEW.credits <> ({credits}) OR NEW.debits <> ({debits}))",
            BALANCE_FOLLOWS,
        ),
    )


def _sum_of_entries(entry_type: str) -> str:
    return f"SELECT coalesce(sum(amount), 0) FROM {ENTRIES} WHERE group_id = NEW.id AND type = '{entry_type}'"  # noqa: S608 - names of our own


def _sum_of_groups(column: str) -> str:
    return f"SELECT coalesce(sum({column}), 0) FROM {GROUPS} WHERE account_id = NEW.id"  # noqa: S608 - names of our own


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
            UPDATE {GROUPS} SET {_ADDED} WHERE id = NEW.group_id;
            UPDATE {ACCOUNTS} SET {_ADDED} WHERE id = (SELECT account_id FROM {GROUPS} WHERE id = NEW.group_id);
        END
        """,  # noqa: S608 - names of our own
    ),
    _refusing("giftcards_entry_stays", ENTRIES, "UPDATE", "true", ENTRY_STAYS),
    _refusing("giftcards_entry_remains", ENTRIES, "DELETE", "true", ENTRY_STAYS),
    *_balance("giftcards_account", ACCOUNTS, credits=_sum_of_groups("credits"), debits=_sum_of_groups("debits")),
    *_balance("giftcards_group", GROUPS, credits=_sum_of_entries("credit"), debits=_sum_of_entries("debit")),
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
)
