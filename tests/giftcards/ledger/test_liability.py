"""What `liability_report` says that the shop owes."""

import csv
import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from giftcards.cards import cancellation, redemption
from giftcards.ledger import liability
from giftcards.ledger.liability import Share, shares, totals
from giftcards.models import GiftCard, Transaction, TransactionGroup
from kit.domain.actor import SYSTEM
from kit.values.timestamps import isoformat, now
from tests.concurrency.crowd import at_once
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, redeemer, spend, store_credit
from tests.giftcards.books import unguarded

pytestmark = pytest.mark.django_db


def old(row: Any, days: float) -> None:
    """Let the card, or the newest group and its entries, have been made so long ago."""
    moment = now() - timedelta(days=days)
    with unguarded():
        if isinstance(row, GiftCard):
            GiftCard.objects.filter(pk=row.pk).update(created_at=moment)
            return
        group = TransactionGroup.objects.filter(account=row).latest("pk")
        TransactionGroup.objects.filter(pk=group.pk).update(created_at=moment)
        Transaction.objects.filter(group=group).update(created_at=moment)


def reported(**given: Any) -> list[tuple[Any, ...]]:
    found = shares(as_of=given.pop("as_of", now()), **given)
    return [(each.currency_code, each.kind, each.age, each.expiry, each.amount) for each in found]


def test_nothing_is_owed_by_a_new_shop() -> None:
    assert reported() == []
    assert totals([]) == {}


def test_store_credit_and_cards_are_reported_apart_by_currency() -> None:
    ann = CustomerFactory()
    store_credit(ann, "10.50")
    store_credit(CustomerFactory(), 2)
    store_credit(ann, 700, currency_code="jpy")
    gift_card(25)
    gift_card("0.05")
    assert reported() == [
        ("jpy", "store credit", "0-30 days", "never", 700),
        ("usd", "store credit", "0-30 days", "never", Decimal("12.50")),
        ("usd", "gift cards", "0-30 days", "never", Decimal("25.05")),
    ]
    assert totals(shares(as_of=now())) == {"jpy": 700, "usd": Decimal("37.55")}
    assert reported(currency_code="jpy") == [("jpy", "store credit", "0-30 days", "never", 700)]


@pytest.mark.parametrize(
    ("days", "age"),
    [
        *((0, "0-30 days"), (30.9, "0-30 days"), (31.1, "31-90 days"), (90.9, "31-90 days")),
        *((91.1, "91-365 days"), (365.9, "91-365 days"), (366.1, "older"), (4000, "older")),
    ],
)
def test_ages_are_in_whole_days(days: float, age: str) -> None:
    old(gift_card(5), days)
    old(store_credit(CustomerFactory(), 3), days)
    assert reported() == [("usd", "store credit", age, "never", 3), ("usd", "gift cards", age, "never", 5)]


def test_store_credit_is_as_old_as_what_it_came_from_and_the_oldest_is_spent_first() -> None:
    ann = CustomerFactory()
    account = store_credit(ann, 10)
    old(account, 400)
    store_credit(ann, 20)
    spend(account.pk, 4, order_id="1")
    assert [(row[2], row[4]) for row in reported()] == [("0-30 days", 20), ("older", 6)]
    spend(account.pk, 6, order_id="2")
    assert [(row[2], row[4]) for row in reported()] == [("0-30 days", 20)]


def test_cards_are_reported_by_their_expiry_and_expired_ones_are_not_owed() -> None:
    for days, value in ((None, 1), (-1, 2), (29, 4), (31, 8)):
        card = gift_card(value)
        expires_at = None if days is None else now() + timedelta(days=days)
        GiftCard.objects.filter(pk=card.pk).update(expires_at=expires_at)
    assert [(row[3], row[4]) for row in reported()] == [
        ("never", 1),
        ("later", 8),
        ("within 30 days", 4),
        ("expired", 2),
    ]
    assert totals(shares(as_of=now())) == {"usd": 13}


def test_a_redeemed_card_is_owed_as_store_credit_and_a_canceled_one_not_at_all() -> None:
    mine, guests, canceled = (gift_card(value) for value in (5, 6, 7))
    redemption.redeem(actor=redeemer(CustomerFactory()), id_or_code=mine.pk)
    redemption.redeem_for_guest(actor=SYSTEM, card_id=guests.pk)
    cancellation.cancel(actor=SYSTEM, card_id=canceled.pk)
    assert reported() == [("usd", "store credit", "0-30 days", "never", 11)]


def test_the_books_of_an_earlier_moment_are_those_of_then() -> None:
    account = store_credit(CustomerFactory(), 50)
    redeemed, canceled = gift_card(5), gift_card(7)
    for row in (account, redeemed, canceled):
        old(row, 10)
    then = now() - timedelta(days=1)
    gift_card(100)
    spend(account.pk, 50, order_id="1")
    redemption.redeem(actor=redeemer(CustomerFactory()), id_or_code=redeemed.pk)
    cancellation.cancel(actor=SYSTEM, card_id=canceled.pk)
    store_credit(CustomerFactory(), 100)
    with unguarded():
        Transaction.objects.filter(type="debit").update(created_at=now())
    assert [(row[1], row[4]) for row in reported(as_of=then)] == [("store credit", 50), ("gift cards", 12)]
    assert [(row[1], row[4]) for row in reported()] == [("store credit", 105), ("gift cards", 100)]
    assert reported(as_of=now() - timedelta(days=11)) == []


def test_it_takes_two_statements_however_much_there_is(django_assert_num_queries: Any) -> None:
    for number in range(20):
        store_credit(CustomerFactory(), number + 1)
        gift_card(number + 1)
    with django_assert_num_queries(2):
        assert len(shares(as_of=now())) == 2


@pytest.mark.django_db(transaction=True)
def test_a_card_that_is_redeemed_between_the_statements_is_reported_as_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    card, ann, cards_of = gift_card(20), CustomerFactory(), liability._gift_cards

    def redeem(_: int) -> None:
        redemption.redeem(actor=redeemer(ann), id_or_code=card.pk)

    def redeemed_meanwhile(as_of: datetime) -> Iterator[Any]:
        at_once(redeem, threads=1)
        yield from cards_of(as_of)

    monkeypatch.setattr(liability, "_gift_cards", redeemed_meanwhile)
    assert [(share.kind, share.amount) for share in shares(as_of=now() + timedelta(days=1))] == [("gift cards", 20)]


def printed(*arguments: str) -> str:
    out = io.StringIO()
    call_command("liability_report", *arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def some() -> None:
    store_credit(CustomerFactory(), "1234.50")
    gift_card(25)
    store_credit(CustomerFactory(), 700, currency_code="jpy")


@pytest.mark.usefixtures("some")
def test_a_table_for_people() -> None:
    assert printed().splitlines()[1:] == [
        "currency  kind          age        expiry   amount",
        "jpy       store credit  0-30 days  never       700",
        "usd       store credit  0-30 days  never   1234.50",
        "usd       gift cards    0-30 days  never     25.00",
        "Owed in jpy: 700",
        "Owed in usd: 1259.50",
    ]
    assert printed("--currency", "eur").splitlines()[-1] == "Nothing is owed"


@pytest.mark.usefixtures("some")
def test_csv_and_json_for_programs() -> None:
    lines = list(csv.DictReader(io.StringIO(printed("--csv", "--currency", "USD"))))
    assert lines == [
        {"currency_code": "usd", "kind": "store credit", "age": "0-30 days", "expiry": "never", "amount": "1234.50"},
        {"currency_code": "usd", "kind": "gift cards", "age": "0-30 days", "expiry": "never", "amount": "25.00"},
    ]
    for_spreadsheet = printed("--csv", "--currency", "USD", "--separator", "tab", "--decimal-mark", "comma")
    assert for_spreadsheet.splitlines()[1] == "usd\tstore credit\t0-30 days\tnever\t1234,50"
    answer = json.loads(printed("--json", "--currency", "USD"))
    assert (answer["shares"], answer["owed"]) == (lines, {"usd": "1259.50"})


@pytest.mark.usefixtures("some")
def test_a_date_means_its_end() -> None:
    today = datetime.now(UTC)
    yesterday = today - timedelta(days=1)
    assert json.loads(printed("--json", "--as-of", today.date().isoformat()))["owed"] == {
        "jpy": "700",
        "usd": "1259.50",
    }
    assert json.loads(printed("--json", "--as-of", yesterday.date().isoformat()))["owed"] == {}
    assert json.loads(printed("--json", "--as-of", isoformat(yesterday)))["as_of"] == isoformat(yesterday)


def test_what_is_no_moment_or_currency_is_refused() -> None:
    for arguments in (("--as-of", "soon"), ("--currency", "dollars"), ("--csv", "--json")):
        with pytest.raises(CommandError):
            printed(*arguments)


def test_a_moment_at_the_end_of_all_time_is_refused() -> None:
    for moment in ("0001-01-01", "0001-06-01T00:00:00Z", "9999-12-30", "9999-12-31", "9999-12-31T23:59:59Z"):
        with pytest.raises(CommandError, match="out of bounds"):
            printed("--as-of", moment)
    for moment in ("0003-01-01", "9990-01-01"):
        assert printed("--as-of", moment).endswith("\nNothing is owed\n")


def test_a_share_that_has_expired_is_not_owed() -> None:
    assert not Share("usd", "gift cards", "older", "expired", Decimal(1)).is_owed
