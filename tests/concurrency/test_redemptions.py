"""Gift cards and store credit that many want at once, and what holds the law when one of its guards is away.

Each guard is taken away by itself, on PostgreSQL, and the same proof is run again: it fails, or another guard has held.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from threading import Barrier, BrokenBarrierError
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from customers.models import Customer
from giftcards import triggers
from giftcards.cards import cards, redemption
from giftcards.cards.issuing import Terms, issue_for_line
from giftcards.errors import AlreadyRedeemed, CreditUnavailable
from giftcards.ledger import ledger
from giftcards.ledger.references import Reference
from giftcards.models import GiftCard, StoreCreditAccount, Transaction
from giftcards.spending.cart_cards import add_card
from giftcards.spending.cart_store_credit import add_store_credit
from giftcards.triggers.trigger import ACCOUNTS, GROUPS
from giftcards.verification.verification import discrepancies
from kit.database.locking import retry_on_conflict
from kit.domain.actor import SYSTEM
from kit.errors import DomainError
from tests.concurrency.crowd import at_once
from tests.factories import carts as make
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, redeemer, spend, store_credit
from tests.giftcards.books import balance

THREADS = 16
pytestmark = pytest.mark.django_db(transaction=True)


def outcomes(work: Any, *, threads: int = THREADS) -> Counter[str]:
    """How many threads did the work, and how many were refused by what."""

    def done(number: int) -> str:
        try:
            retry_on_conflict(lambda: work(number))
        except (DomainError, DatabaseError) as error:
            return type(error).__name__
        return "done"

    return Counter(at_once(done, threads=threads))


def redeemed_by(card: GiftCard, *customers: Customer) -> Counter[str]:
    """The proof: sixteen redeem the card at once, in turns as these customers."""

    def redeem(number: int) -> None:
        redemption.redeem(actor=redeemer(customers[number % len(customers)]), id_or_code=card.code)

    return outcomes(redeem)


def credits_of(card: GiftCard) -> int:
    return Transaction.objects.filter(type="credit", reference="gift_card", reference_id=card.pk).count()


# --- The proofs ---


@pytest.mark.parametrize("people", [1, THREADS])
def test_of_many_who_redeem_a_card_at_once_one_is_credited(people: int) -> None:
    card, customers = gift_card(25), [CustomerFactory() for _ in range(people)]
    assert redeemed_by(card, *customers) == {"done": 1, "AlreadyRedeemed": THREADS - 1}
    card.refresh_from_db()
    account = StoreCreditAccount.objects.get(credits__gt=0)
    assert (card.status, card.customer_id, account.credits) == ("redeemed", account.customer_id, 25)
    assert credits_of(card) == 1
    assert list(discrepancies()) == []


def test_many_first_cards_of_a_customer_at_once_open_one_account() -> None:
    ann, cards_of_ann = CustomerFactory(), [gift_card(number + 1) for number in range(THREADS)]

    def redeem(number: int) -> None:
        redemption.redeem(actor=redeemer(ann), id_or_code=cards_of_ann[number].pk)

    assert outcomes(redeem) == {"done": THREADS}
    assert StoreCreditAccount.objects.count() == 1
    assert balance(ann) == sum(range(1, THREADS + 1))
    assert list(discrepancies()) == []


def test_a_card_that_a_customer_and_guests_checkouts_want_at_once_is_spent_by_one() -> None:
    card, ann = gift_card(25), CustomerFactory()

    def take(number: int) -> None:
        if number % 2:
            redemption.redeem(actor=redeemer(ann), id_or_code=card.pk)
        else:
            redemption.redeem_for_guest(actor=SYSTEM, card_id=card.pk)

    assert outcomes(take) == {"done": 1, "AlreadyRedeemed": THREADS - 1}
    assert list(discrepancies()) == []


def test_a_card_put_on_a_cart_by_many_at_once_pays_once() -> None:
    card, cart, actor = gift_card(5), make.cart(make.sold_variant(20)), make.shopper()
    assert outcomes(lambda _: add_card(actor=actor, cart_id=cart.pk, code=card.code), threads=10) == {"done": 10}
    cart.refresh_from_db()
    assert [line.amount for line in cart.credit_lines.all()] == [5]
    assert cart.total == 15


def test_store_credit_put_on_a_cart_by_many_at_once_pays_once() -> None:
    ann = CustomerFactory()
    store_credit(ann, 100)
    actor = make.shopper(customer_id=ann.pk)
    cart = make.cart(make.sold_variant(20), actor=actor)

    def put(_: int) -> None:
        add_store_credit(actor=actor, cart_id=cart.pk, amount=Decimal(5))

    assert outcomes(put, threads=10) == {"done": 10}
    cart.refresh_from_db()
    assert [line.amount for line in cart.credit_lines.all()] == [5]
    assert cart.total == 15


def test_a_bought_line_becomes_cards_once_however_many_issue_them_at_once() -> None:
    terms = Terms(value=Decimal(10), currency_code="usd")

    def issue(_: int) -> None:
        made = issue_for_line(actor=SYSTEM, terms=terms, line_item_id="ordli_1", units=3)
        assert [card.value for card in made] == [Decimal("3.34"), Decimal("3.33"), Decimal("3.33")]

    assert outcomes(issue) == {"done": THREADS}
    assert GiftCard.objects.count() == 3


def spent_at_once(ann: Customer) -> Counter[str]:
    """The proof: twenty take 30 of 100 at once."""
    account = store_credit(ann, 100)

    def take(number: int) -> None:
        spend(account.pk, 30, order_id=str(number))

    return outcomes(take, threads=20)


def test_of_twenty_who_take_thirty_of_a_hundred_three_get_it() -> None:
    ann = CustomerFactory()
    assert spent_at_once(ann) == {"done": 3, "CreditUnavailable": 17}
    assert balance(ann) == 10
    assert list(discrepancies()) == []


def test_one_order_that_is_paid_many_times_at_once_is_paid_once() -> None:
    ann = CustomerFactory()
    account = store_credit(ann, 100)
    assert outcomes(lambda _: spend(account.pk, 30, order_id="one")) == {"done": 1, "IntegrityError": THREADS - 1}
    assert balance(ann) == 70


# --- The proofs without a guard ---


@pytest.fixture
def meeting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards are read without their lock, and all have read one before any goes on: the race at its worst."""
    unlocked, meet = cards.find_card, Barrier(THREADS)

    def find_together(id_or_code: str, **other: Any) -> cards.Card:
        found = unlocked(id_or_code, **other)
        try:
            meet.wait(timeout=20)
        except BrokenBarrierError:
            pytest.fail("not all threads came to read the card")
        return found

    monkeypatch.setattr(redemption, "lock_card", find_together)


@contextmanager
def without(*statements: str, back: tuple[str, ...]) -> Iterator[None]:
    """The database as the statements leave it, and as it was afterwards, its rows gone."""
    try:
        for statement in statements:
            run(statement)
        yield
    finally:
        with connection.schema_editor() as editor:
            triggers.remove(editor)
        for model in (Transaction, ledger.TransactionGroup, StoreCreditAccount, GiftCard):
            model._base_manager.all().delete()
        with connection.schema_editor() as editor:
            triggers.install(editor)
        for statement in back:
            run(statement)


def run(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def definition(index: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_get_indexdef(%s::regclass)", [index])
        return str(cursor.fetchone()[0])


@contextmanager
def without_unique_entries() -> Iterator[None]:
    """Nothing but the lock says that a card is credited once: neither the entry's index nor its group's code."""
    index = definition("giftcards_transaction_once_a_card")
    with without(
        "DROP INDEX giftcards_transaction_once_a_card",
        f"ALTER TABLE {GROUPS} DROP CONSTRAINT giftcards_group_code_taken",
        back=(index, f"ALTER TABLE {GROUPS} ADD CONSTRAINT giftcards_group_code_taken UNIQUE (code)"),
    ):
        yield


@pytest.mark.postgresql
@pytest.mark.usefixtures("meeting")
def test_without_the_lock_the_unique_entry_holds_and_the_others_get_an_error_of_the_database() -> None:
    card = gift_card(25)
    assert redeemed_by(card, CustomerFactory()) == {"done": 1, "IntegrityError": THREADS - 1}
    assert credits_of(card) == 1
    assert list(discrepancies()) == []


@pytest.mark.postgresql
def test_without_the_unique_entry_the_lock_holds() -> None:
    with without_unique_entries():
        card = gift_card(25)
        assert redeemed_by(card, CustomerFactory()) == {"done": 1, "AlreadyRedeemed": THREADS - 1}
        assert credits_of(card) == 1


@pytest.mark.postgresql
@pytest.mark.usefixtures("meeting")
def test_without_the_lock_and_the_unique_entry_a_card_is_credited_again_and_that_is_named() -> None:
    """The proof can fail."""
    with without_unique_entries():
        card, ann = gift_card(25), CustomerFactory()
        assert redeemed_by(card, ann) == {"done": THREADS}
        assert credits_of(card) == THREADS
        assert balance(ann) == 25 * THREADS
        assert f"Gift card {card.pk} is credited {THREADS} times" in list(discrepancies())


@pytest.mark.postgresql
@pytest.mark.usefixtures("meeting")
def test_without_the_lock_and_the_unique_entry_a_card_changes_hands_no_more_once_redeemed() -> None:
    """Of several customers the trigger lets one have it, though both other guards are away."""
    with without_unique_entries():
        card = gift_card(25)
        assert redeemed_by(card, *(CustomerFactory() for _ in range(THREADS))) == {
            "done": 1,
            "IntegrityError": THREADS - 1,
        }
        assert credits_of(card) == 1


def test_a_second_redemption_fails_by_the_status_and_by_a_stale_status_at_the_unique_entry() -> None:
    """The same one after the other, on both databases: what each guard is worth by itself."""
    card, ann = gift_card(25), CustomerFactory()
    stale = cards.find_card(card.pk, actor=redeemer(ann))
    redemption.redeem(actor=redeemer(ann), id_or_code=card.pk)
    with pytest.raises(AlreadyRedeemed):
        redemption.redeem(actor=redeemer(ann), id_or_code=card.pk)
    with pytest.raises(IntegrityError), transaction.atomic():
        redemption.book([(stale, ledger.open_account(customer_id=ann.pk, currency_code="usd"))])
    assert (credits_of(card), balance(ann)) == (1, 25)


def stale_accounts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The balance check is away: each takes the account for one with a hundred on it, however many were before."""
    lock = ledger.lock_accounts

    def rich(account_ids: Sequence[str]) -> dict[str, ledger.Account]:
        return {key: replace(account, credits=10**9, debits=0) for key, account in lock(account_ids).items()}

    monkeypatch.setattr(ledger, "lock_accounts", rich)
    monkeypatch.setattr(ledger, "debit", take_from_first_group)


def take_from_first_group(amounts: Sequence[tuple[ledger.Account, int]], *, entry: Reference) -> None:
    ((account, amount),) = amounts
    (group,) = ledger.TransactionGroup.objects.filter(account_id=account.id)
    Transaction.objects.create(
        group=group, type="debit", amount=Decimal(amount) / 10_000, reference=entry.kind, reference_id=entry.id
    )


def test_without_the_balance_check_the_database_refuses_what_is_below_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    stale_accounts(monkeypatch)
    ann = CustomerFactory()
    assert spent_at_once(ann) == {"done": 3, "IntegrityError": 17}
    assert balance(ann) == 10


@pytest.mark.postgresql
def test_without_the_balance_checks_of_verb_and_database_an_account_falls_below_zero_and_that_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The proof can fail."""
    stale_accounts(monkeypatch)
    is_covered = "debits >= 0 AND credits >= debits"
    checks = [
        (GROUPS, "giftcards_group_balance", is_covered),
        (ACCOUNTS, "giftcards_account_balance", is_covered),
        (ACCOUNTS, "giftcards_account_held", "held >= 0 AND held <= credits - debits"),
    ]
    drop = [f"ALTER TABLE {table} DROP CONSTRAINT {name}" for table, name, _ in checks]
    back = tuple(f"ALTER TABLE {table} ADD CONSTRAINT {name} CHECK ({check})" for table, name, check in checks)
    with without(*drop, back=back):
        ann = CustomerFactory()
        assert spent_at_once(ann) == {"done": 20}
        assert balance(ann) == -500
        assert any("is below zero, with credits of 100 and debits of 600" in reported for reported in discrepancies())


@pytest.mark.postgresql
def test_without_the_trigger_that_adds_entries_credit_is_worth_nothing_and_that_is_named() -> None:
    with without("DROP TRIGGER giftcards_entry_is_added ON giftcards_transaction", back=()):
        card, ann = gift_card(25), CustomerFactory()
        assert redeemed_by(card, ann) == {"done": 1, "AlreadyRedeemed": THREADS - 1}
        assert balance(ann) == 0
        reported = list(discrepancies())
        assert "The trigger giftcards_entry_is_added is missing" in reported
        assert any("has credits of 0 and debits of 0, but its entries add up to 25 and 0" in each for each in reported)


@pytest.mark.postgresql
def test_without_the_trigger_a_card_could_be_pending_again_and_the_unique_entry_still_holds() -> None:
    with without("DROP TRIGGER giftcards_card_stays ON giftcards_giftcard", back=()):
        card, ann = gift_card(25), CustomerFactory()
        redemption.redeem(actor=redeemer(ann), id_or_code=card.pk)
        run("UPDATE giftcards_giftcard SET status = 'pending'")
        with pytest.raises(IntegrityError):
            redemption.redeem(actor=redeemer(ann), id_or_code=card.pk)
        assert (credits_of(card), balance(ann)) == (1, 25)


def test_too_much_is_refused_by_the_verb_before_the_database_has_to() -> None:
    ann = CustomerFactory()
    account = store_credit(ann, 10)
    with pytest.raises(CreditUnavailable):
        spend(account.pk, 11, order_id="1")
