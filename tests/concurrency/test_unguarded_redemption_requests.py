"""The proofs of test_redemption_requests.py can fail: each does once one of the guards is gone.

The guards stand behind one another. Without the lock that puts requests in a row the others get another answer,
and only without the unique entry, or the check of the balance, behind it is there more money than there was.
"""

from collections import Counter
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from giftcards.ledger import ledger
from giftcards.models import StoreCreditAccount, Transaction, TransactionGroup
from giftcards.verification.verification import discrepancies
from kit.reads.sql.keyed_rows import KeyedRows
from tests.concurrency import debits
from tests.concurrency.missing_guards import Serve, unguarded_servers, without_constraints, without_triggers
from tests.concurrency.redemption_requests import (
    answers_of,
    check_credits,
    prove_one_credit,
    prove_one_credit_of_key,
    redemption,
)
from tests.concurrency.running_server import RunningServer
from tests.factories import giftcards as factories
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, store_credit

pytestmark = [pytest.mark.every(4), pytest.mark.once, pytest.mark.django_db(transaction=True)]
FEW = 12
"""Three for each thread of the server's one worker."""
LEDGER = (Transaction, TransactionGroup, StoreCreditAccount)


@pytest.fixture
def serve(process_environment: dict[str, str], tmp_path: Path) -> Serve:
    """A server without the guard of that name."""
    return unguarded_servers("tests.concurrency.unguarded_redemption_requests", process_environment, tmp_path)


def what_puts_in_a_row() -> str:
    """PostgreSQL locks the card's row; SQLite, which has no such locks, the whole database for a transaction."""
    return "row lock" if connection.vendor == "postgresql" else "transaction"


def test_without_the_lock_one_is_credited_still_and_others_get_another_answer(serve: Serve) -> None:
    ann = CustomerFactory()
    with serve(what_puts_in_a_row()) as server, pytest.raises(AssertionError, match="assert Counter"):
        prove_one_credit(server, [ann], number=FEW)
    entry = Transaction.objects.get()
    assert (entry.amount, StoreCreditAccount.objects.get().credits) == (50, 50)


def test_without_the_lock_and_the_unique_entry_a_card_is_credited_again_and_the_ledger_shows_it(serve: Serve) -> None:
    ann, card = CustomerFactory(), gift_card(50)
    unique = {TransactionGroup: ["giftcards_group_code_taken"], Transaction: ["giftcards_transaction_once_a_card"]}
    with without_constraints(unique, emptied=LEDGER), serve(what_puts_in_a_row()) as server:
        answers = answers_of(server, lambda _: redemption(card, ann), number=FEW)
        times = Transaction.objects.count()
        assert times > 1
        assert Counter(answer.status for answer in answers)[200] == times
        assert StoreCreditAccount.objects.get().credits == 50 * times
        with pytest.raises(AssertionError):
            check_credits({ann: [card]})
        assert list(discrepancies()) == [f"Gift card {card.pk} is credited {times} times"]


def test_without_the_record_of_a_key_only_the_first_sending_succeeds(serve: Serve) -> None:
    ann = CustomerFactory()
    with serve("key record") as server, pytest.raises(AssertionError, match=r"assert \[(1|11)\] == \[0\]"):
        prove_one_credit_of_key(server, [ann], number=FEW)


def test_without_the_triggers_a_credit_is_not_kept_and_the_ledger_shows_it(server: RunningServer) -> None:
    ann = CustomerFactory()
    with without_triggers():
        with pytest.raises(AssertionError):
            prove_one_credit(server, [ann], number=FEW)
        account = StoreCreditAccount.objects.get()
        kept, added_up = "has credits of 0 and debits of 0", "add up to 50 and 0"
        assert account.credits == 0
        assert f"Account {account.pk} {kept}, but its entries {added_up}" in list(discrepancies())


def test_without_the_lock_the_check_of_the_balance_stops_debits_that_nothing_else_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    account = store_credit(CustomerFactory(), 100)
    let_debits_meet(monkeypatch, number=20)
    assert Counter(debits.at_once(account, 30, number=20)) == {"spent": 3, "broken": 17}
    account.refresh_from_db()
    assert account.debits == 90
    assert list(discrepancies()) == []


def test_without_the_lock_and_the_check_of_the_balance_more_is_taken_than_there_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    account = store_credit(CustomerFactory(), 100)
    let_debits_meet(monkeypatch, number=20)
    checks = {
        TransactionGroup: ["giftcards_group_balance"],
        StoreCreditAccount: ["giftcards_account_balance", "giftcards_account_held"],
    }
    with without_constraints(checks, emptied=LEDGER):
        assert Counter(debits.at_once(account, 30, number=20)) == {"spent": 20}
        account.refresh_from_db()
        assert account.debits == 600
        reported = "is below zero, with credits of 100 and debits of 600"
        assert f"Account {account.pk} {reported}" in list(discrepancies())


def let_debits_meet(monkeypatch: pytest.MonkeyPatch, *, number: int) -> None:
    """All have read what there is before the first takes of it: nothing puts them in a row."""
    met = Barrier(number)
    add = ledger._add

    def add_when_all_have_read(*args: Any) -> None:
        met.wait(timeout=30)
        add(*args)

    monkeypatch.setattr(ledger, "_add", add_when_all_have_read)
    if connection.vendor == "postgresql":
        rows = StoreCreditAccount.objects.not_deleted
        unlocked = KeyedRows(rows, key="id", row=ledger.Account, columns=ledger.COLUMNS)
        monkeypatch.setattr(ledger, "_BY_ID", unlocked)
    else:
        unguarded = factories.spend.__wrapped__  # type: ignore[attr-defined]
        monkeypatch.setattr(factories, "spend", unguarded)
