"""What the database itself refuses from every caller, and how we know that it does."""

from collections.abc import Callable

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from customers.models import Customer
from giftcards import triggers
from giftcards.cards import redemption
from giftcards.models import Transaction
from giftcards.spending.holds import hold_credit
from giftcards.triggers import postgresql, sqlite
from giftcards.triggers.trigger import ACCOUNTS, CARDS, ENTRIES, GROUPS, HOLDS, Trigger
from tests.dropped_triggers import dropped
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import cart_paid_by, gift_card, redeemer, store_credit
from tests.giftcards.books import books, in_place, unguarded

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> Customer:
    return CustomerFactory(email="ann@example.com")


@pytest.fixture
def written(ann: Customer) -> dict[str, str]:
    """A ledger with entries, and an account without; the customers' ids."""
    redemption.redeem(actor=redeemer(ann), id_or_code=gift_card().pk)
    credit = store_credit(ann, 1, currency_code="eur")
    held = [cart_paid_by((gift_card(5), 5)), cart_paid_by((credit, "0.5"), customer_id=ann.pk)]
    for cart in held:
        hold_credit(attempt_id="one", cart=cart)
    return {"ann": ann.pk, "other": CustomerFactory().pk}


GUARDED = {
    "an entry is changed": "UPDATE giftcards_transaction SET amount = amount + 1",
    "an entry is changed in nothing": "UPDATE giftcards_transaction SET amount = amount",
    "an entry is removed": "DELETE FROM giftcards_transaction",
    "an entry is for nothing": "{entry} 'more', id, 'credit', 0, 'order', 'o', created_at FROM {groups}",
    "an entry takes away by adding": "{entry} 'more', id, 'credit', -1, 'order', 'o', created_at FROM {groups}",
    "an entry is of a third type": "{entry} 'more', id, 'gift', 1, 'order', 'o', created_at FROM {groups}",
    "a card is credited again": "{entry} 'more', id, 'credit', 1, 'gift_card', "
    "(SELECT id FROM {card}), created_at FROM {groups} WHERE code LIKE 'adjustment%%'",
    "more is taken than there is": "{entry} id, id, 'debit', credits + 1, 'order', 'o', created_at FROM {groups}",
    "a balance is raised": "UPDATE giftcards_storecreditaccount SET credits = credits + 10000",
    "a balance is raised by its debits": "UPDATE giftcards_storecreditaccount SET debits = debits - 10000",
    "the newest entry counts twice": "UPDATE {accounts} SET credits = credits + 10000 WHERE currency_code = 'eur'",
    "a group's balance is raised": "UPDATE giftcards_transactiongroup SET credits = credits + 10000",
    "an account begins with a balance": "INSERT INTO {accounts} (id, customer_id, currency_code, credits, debits, "
    "held, created_at, updated_at) SELECT 'more', '{other}', 'usd', 10000, 0, 0, created_at, created_at FROM {card}",
    "a group begins with a balance": "INSERT INTO {groups} (id, account_id, code, credits, debits, created_at, "
    "updated_at) SELECT 'more', account_id, 'more', 10000, 0, created_at, created_at FROM {groups} LIMIT 1",
    "an account changes hands": "UPDATE giftcards_storecreditaccount SET customer_id = '{other}'",
    "an account changes its currency": "UPDATE giftcards_storecreditaccount SET currency_code = 'jpy'",
    "a customer has two accounts": "INSERT INTO {accounts} (id, customer_id, currency_code, credits, debits, "
    "held, created_at, updated_at) SELECT 'more', '{ann}', 'usd', 0, 0, 0, created_at, created_at FROM {card}",
    "an account is nobody's": "INSERT INTO {accounts} (id, currency_code, credits, debits, held, created_at, "
    "updated_at) SELECT 'more', 'usd', 0, 0, 0, created_at, created_at FROM {card}",
    "a group changes its code": "UPDATE giftcards_transactiongroup SET code = 'mine'",
    "a group moves": "UPDATE {groups} SET account_id = (SELECT id FROM {accounts} WHERE id <> account_id)",
    "a redeemed card is pending again": "UPDATE giftcards_giftcard SET status = 'pending'",
    "a redeemed card is canceled": "UPDATE giftcards_giftcard SET status = 'canceled'",
    "a redeemed card changes hands": "UPDATE giftcards_giftcard SET customer_id = '{other}'",
    "a card is worth more": "UPDATE giftcards_giftcard SET value = value * 2",
    "a card is in another currency": "UPDATE giftcards_giftcard SET currency_code = 'eur'",
    "a card has another code": "UPDATE giftcards_giftcard SET code = 'EASY'",
    "a redeemed card is removed": "DELETE FROM giftcards_giftcard",
    "a hold is changed": "UPDATE giftcards_credithold SET amount = amount - 1",
    "a hold moves": "UPDATE giftcards_credithold SET attempt_id = 'mine'",
    "a held card is redeemed": "UPDATE {cards} SET status = 'redeemed' WHERE held_by IS NOT NULL",
    "a held card is canceled": "UPDATE {cards} SET status = 'canceled' WHERE held_by IS NOT NULL",
    "a held card is freed": "UPDATE {cards} SET held_by = NULL",
    "a free card is held": "UPDATE {cards} SET held_by = 'mine' WHERE status = 'pending'",
    "a held card is held again": "{hold} 'more', 'mine', id, NULL, 1, created_at FROM {held}",
    "a redeemed card is held": "{hold} 'more', 'mine', id, NULL, 1, created_at FROM {card}",
    "more is held than there is": "{hold} 'more', 'mine', NULL, id, credits + 1, created_at FROM {accounts} "
    "WHERE held = 0",
    "more is held than is free": "{hold} 'more', 'mine', NULL, id, credits - held + 1, created_at FROM {accounts} "
    "WHERE held > 0",
    "an attempt holds an account twice": "{hold} 'more', 'one', NULL, id, 1, created_at FROM {accounts} WHERE held > 0",
    "a hold is of nothing": "{hold} 'more', 'mine', NULL, NULL, 1, created_at FROM {card}",
    "a hold holds nothing": "{hold} 'more', 'mine', NULL, id, 0, created_at FROM {accounts} WHERE held = 0",
    "a sum of holds is lowered": "UPDATE {accounts} SET held = 0",
    "an account begins with holds": "INSERT INTO {accounts} (id, customer_id, currency_code, credits, debits, "
    "held, created_at, updated_at) SELECT 'more', '{other}', 'usd', 0, 0, 1, created_at, created_at FROM {card}",
    "what is held is taken": "{entry} 'more', id, 'debit', credits, 'order', 'o', created_at FROM {groups} "
    "WHERE code LIKE 'adjustment%%'",
}
REPLACED = {
    "a redeemed card": "INSERT OR REPLACE INTO {cards} (id, code, status, value, currency_code, created_at, "
    "updated_at) SELECT 'fresh', code, 'pending', value, currency_code, created_at, created_at FROM {card}",
    "an entry": "INSERT OR REPLACE INTO {entries} (id, group_id, type, amount, reference, reference_id, created_at) "
    "SELECT 'more', (SELECT id FROM {groups} WHERE code LIKE 'adjustment%%'), type, amount, reference, reference_id, "
    "created_at FROM {entries} WHERE reference = 'gift_card'",
}
HOLD = f"INSERT INTO {HOLDS} (id, attempt_id, card_id, account_id, amount, created_at) SELECT"
NAMES = {
    "card": f"{CARDS} WHERE status = 'redeemed'",
    "held": f"{CARDS} WHERE held_by IS NOT NULL",
    "cards": CARDS,
    "accounts": ACCOUNTS,
    "groups": GROUPS,
    "entries": ENTRIES,
}
ENTRY = f"INSERT INTO {ENTRIES} (id, group_id, type, amount, reference, reference_id, created_at) SELECT"


def execute(statement: str, ids: dict[str, str]) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement.format(entry=ENTRY, hold=HOLD, **NAMES, **ids).replace("%%", "%"))


@pytest.mark.parametrize("attempt", GUARDED)
def test_the_database_itself_refuses_that(written: dict[str, str], attempt: str) -> None:
    before = books()
    with pytest.raises(IntegrityError):
        execute(GUARDED[attempt], written)
    assert books() == before


@pytest.mark.parametrize("what", REPLACED)
def test_sqlite_replaces_nothing_of_it_either(written: dict[str, str], what: str) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL has no INSERT OR REPLACE")
    before = books()
    with pytest.raises(IntegrityError):
        execute(REPLACED[what], written)
    assert books() == before


@pytest.mark.postgresql
@pytest.mark.parametrize("table", [ENTRIES, GROUPS, ACCOUNTS, CARDS, HOLDS])
def test_postgresql_truncates_nothing_of_it(written: dict[str, str], table: str) -> None:
    before = books()
    with pytest.raises(DatabaseError):
        execute(f"TRUNCATE {table} CASCADE", written)
    assert books() == before


TRIGGERS = {"postgresql": postgresql.TRIGGERS, "sqlite": sqlite.TRIGGERS}[connection.vendor]


def test_all_triggers_are_there_once_the_database_is_migrated() -> None:
    assert triggers.missing(connection) == []


@pytest.mark.parametrize("trigger", TRIGGERS, ids=lambda trigger: trigger.name)
def test_a_dropped_trigger_is_named(trigger: Trigger) -> None:
    with dropped(trigger):
        assert triggers.missing(connection) == [trigger.name]


@pytest.mark.postgresql
def test_a_disabled_trigger_is_named_as_missing() -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {CARDS} DISABLE TRIGGER giftcards_card_stays")
    assert triggers.missing(connection) == ["giftcards_card_stays"]


@pytest.mark.postgresql
def test_a_trigger_of_that_name_on_another_table_does_not_count() -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER giftcards_card_stays ON {CARDS}")
        cursor.execute(
            f"CREATE TRIGGER giftcards_card_stays BEFORE UPDATE ON {GROUPS} FOR EACH ROW "
            "EXECUTE FUNCTION giftcards_refuse('never')"
        )
    assert triggers.missing(connection) == ["giftcards_card_stays"]


def rebuild(table: str) -> None:
    """As migrations for SQLite change a table."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = %s", [table])
        cursor.execute(cursor.fetchone()[0].replace(f'"{table}"', "rebuilt", 1))
        cursor.execute(f"INSERT INTO rebuilt SELECT * FROM {table}")
        cursor.execute(f"DROP TABLE {table}")
        cursor.execute(f"ALTER TABLE rebuilt RENAME TO {table}")


def test_on_sqlite_a_rebuilt_table_has_lost_its_triggers_and_that_is_named() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL alters tables where they are")
    of_holds = ["giftcards_hold_is_made", "giftcards_hold_is_released"]  # they refer to cards
    with connection.cursor() as cursor:
        for name in of_holds:
            cursor.execute(f"DROP TRIGGER {name}")
    rebuild(CARDS)
    lost = [trigger.name for trigger in TRIGGERS if trigger.table == CARDS or trigger.name in of_holds]
    assert triggers.missing(connection) == lost
    in_place(triggers.install)
    assert triggers.missing(connection) == []


def test_on_sqlite_a_table_that_others_triggers_speak_of_is_rebuilt_while_they_are_away() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL alters tables where they are")
    with pytest.raises(DatabaseError, match="error in trigger"), transaction.atomic():
        rebuild(ENTRIES)
    with unguarded():
        rebuild(ENTRIES)
    assert triggers.missing(connection) == []


def steps(work: Callable[[], object]) -> int:
    """How much SQLite has to do, in hundreds of instructions of its machine."""
    counted: list[None] = []
    connection.ensure_connection()
    connection.connection.set_progress_handler(lambda: counted.append(None), 100)
    work()
    connection.connection.set_progress_handler(None, 0)
    return len(counted)


def test_on_sqlite_an_entry_costs_no_more_on_an_account_of_many_sources(ann: Customer) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL looks at no other group")
    store_credit(ann, 1)
    few = steps(lambda: store_credit(ann, 1))
    for _ in range(500):
        store_credit(ann, 1)
    assert steps(lambda: store_credit(ann, 1)) < 2 * few


def test_without_its_triggers_the_database_would_take_it(written: dict[str, str]) -> None:
    with unguarded():
        execute(GUARDED["a redeemed card is pending again"], written)
        execute(GUARDED["a balance is raised"], written)
        execute(GUARDED["an entry is changed"], written)
        execute(GUARDED["a hold is changed"], written)
        execute(GUARDED["a free card is held"], written)
        execute(GUARDED["a held card is freed"], written)


def test_a_note_can_be_erased_and_nothing_else_with_it(written: dict[str, str]) -> None:
    """Staff wrote it, maybe about a person (orders/erasure)."""
    entries = Transaction.objects.order_by("pk")
    before = list(entries.values())
    assert any(entry["note"] for entry in before)
    for attempt in ("note = NULL, amount = amount + 1", "note = 'new'", "note = NULL, created_by = 'me'"):
        with pytest.raises(IntegrityError):
            execute(f"UPDATE {ENTRIES} SET {attempt} WHERE note IS NOT NULL", written)
    execute(f"UPDATE {ENTRIES} SET note = NULL WHERE note IS NOT NULL", written)
    assert list(entries.values()) == [{**entry, "note": None} for entry in before]
