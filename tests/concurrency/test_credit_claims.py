"""Promotions, gift cards and store credit that many carts claim at once."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from threading import Barrier, BrokenBarrierError
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from carts.models import Promotion, PromotionUsage
from carts.promotions import promotion_usage
from carts.promotions.promotion_usage import Claim, record_usage, release_usage
from giftcards.cards import cards
from giftcards.ledger import ledger
from giftcards.models import CreditHold, GiftCard, StoreCreditAccount, Transaction
from giftcards.spending.holds import hold_credit, release_holds, spend_credit
from giftcards.verification.verification import discrepancies
from kit.database.locking import retry_on_conflict
from kit.errors import DomainError
from kit.reads.sql.keyed_rows import KeyedRows
from tests.concurrency.crowd import at_once
from tests.factories import carts as make
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import cart_paid_by, gift_card, store_credit

pytestmark = pytest.mark.django_db(transaction=True)


def outcomes(work: Callable[[int], object], *, threads: int) -> Counter[str]:
    """How many threads did the work, each in a transaction, and how many were refused by what."""

    def one(number: int) -> None:
        with transaction.atomic():
            work(number)

    def done(number: int) -> str:
        try:
            retry_on_conflict(lambda: one(number))
        except (DomainError, DatabaseError) as error:
            return type(error).__name__
        return "done"

    return Counter(at_once(done, threads=threads))


# --- Promotions ---


def used_by_twenty(**limits: int) -> Counter[str]:
    """The proof: twenty carts of one customer use a promotion at once."""
    promotion = make.PromotionFactory(**limits)
    return outcomes(lambda number: record_usage(f"cart_{number}", [promotion.pk], "ann@example.com"), threads=20)


@pytest.mark.parametrize("limit", ["usage_limit", "usage_limit_per_customer"])
def test_of_twenty_carts_one_gets_a_promotion_of_limit_one(limit: str) -> None:
    assert used_by_twenty(**{limit: 1}) == {"done": 1, "PromotionUsedUp": 19}
    assert (Promotion.objects.get().used, PromotionUsage.objects.count()) == (1, 1)


@pytest.mark.postgresql
def test_without_the_lock_of_the_promotion_a_customer_uses_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof can fail: two of them meet after they have looked for earlier uses."""
    unlocked = KeyedRows(promotion_usage._promotions, key="id", row=promotion_usage._Counted)
    monkeypatch.setattr(promotion_usage, "_LOCKED", unlocked)
    middle, read = Barrier(2), promotion_usage._USES.read

    def read_together(*keys: Any) -> Any:
        uses = read(*keys)
        with suppress(BrokenBarrierError):
            middle.wait(timeout=5)
        return uses

    monkeypatch.setattr(promotion_usage, "_USES", SimpleNamespace(read=read_together))
    assert used_by_twenty(usage_limit_per_customer=1)["done"] > 1


def test_carts_with_the_same_promotions_in_any_order_do_not_block_each_other() -> None:
    ids = [make.PromotionFactory().pk for _ in range(3)]
    turns = [ids, ids[::-1]]
    claims = dict.fromkeys(ids, Claim(amount=10_000, currency_code="usd"))
    claimed = outcomes(lambda number: record_usage(f"cart_{number}", turns[number % 2], "ann", claims), threads=16)
    assert claimed == {"done": 16}
    assert [*Promotion.objects.values_list("used", "saved")] == [(16, {"usd": 160_000})] * 3
    assert outcomes(lambda number: release_usage(f"cart_{number % 8}"), threads=16) == {"done": 16}
    assert [*Promotion.objects.values_list("used", "saved")] == [(8, {"usd": 80_000})] * 3


# --- Gift cards and store credit ---


@pytest.mark.parametrize("is_held", [True, False])
def test_of_ten_carts_with_one_card_one_gets_it(is_held: bool) -> None:
    card = gift_card(50)

    def claim(number: int) -> None:
        cart = cart_paid_by((card, 50))
        if is_held:
            hold_credit(attempt_id=f"attempt_{number}", cart=cart)
        else:
            spend_credit(order_id=f"order_{number}", cart=cart, attempt_id=None)

    assert outcomes(claim, threads=10) == {"done": 1, "CreditUnavailable": 9}
    assert CreditHold.objects.count() == int(is_held)
    assert Transaction.objects.filter(type="debit").count() == int(not is_held)
    assert list(discrepancies()) == []


@pytest.mark.postgresql
def test_without_the_locks_of_cards_the_unique_hold_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cards._READERS, ("staff", "id", True), cards._READERS["staff", "id", False])
    card = gift_card(50)
    found = outcomes(lambda n: hold_credit(attempt_id=str(n), cart=cart_paid_by((card, 50))), threads=10)
    assert found["done"] == CreditHold.objects.count() == 1
    assert set(found) <= {"done", "CreditUnavailable", "IntegrityError"}


@pytest.mark.postgresql
def test_without_the_locks_of_accounts_the_database_holds_no_more_than_there_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = StoreCreditAccount.objects.not_deleted
    monkeypatch.setattr(ledger, "_BY_ID", KeyedRows(rows, key="id", row=ledger.Account, columns=ledger.COLUMNS))
    ann = CustomerFactory()
    credit = store_credit(ann, 100)
    cart = cart_paid_by((credit, 30), customer_id=ann.pk)
    found = outcomes(lambda n: hold_credit(attempt_id=str(n), cart=cart), threads=20)
    assert found["done"] == CreditHold.objects.count() == 3
    assert set(found) <= {"done", "CreditUnavailable", "IntegrityError"}
    assert list(discrepancies()) == []


def test_two_cards_and_credit_of_one_customer_at_once() -> None:
    """Carts that name them in opposite order, held or not: no deadlock, and what is taken is there."""
    ann = CustomerFactory()
    pending, credit = [gift_card(5) for _ in range(2)], store_credit(ann, 100)

    def complete(number: int) -> None:
        sources: list[tuple[GiftCard | StoreCreditAccount, Any]] = [(credit, 7), (pending[number % 2], 5)]
        cart = cart_paid_by(*(sources if number % 3 else sources[::-1]), customer_id=ann.pk)
        attempt_id = f"attempt_{number}" if number % 2 else None
        if attempt_id:
            hold_credit(attempt_id=attempt_id, cart=cart)
        spend_credit(order_id=f"order_{number}", cart=cart, attempt_id=attempt_id)

    assert outcomes(complete, threads=12) == {"done": 2, "CreditUnavailable": 10}
    credit.refresh_from_db()
    assert (credit.credits, credit.debits, credit.held) == (110, 24, 0)
    assert list(discrepancies()) == []


def test_of_twenty_who_hold_thirty_of_a_hundred_three_get_it() -> None:
    ann = CustomerFactory()
    credit = store_credit(ann, 100)

    def hold(number: int) -> None:
        hold_credit(attempt_id=f"attempt_{number}", cart=cart_paid_by((credit, 30), customer_id=ann.pk))

    assert outcomes(hold, threads=20) == {"done": 3, "CreditUnavailable": 17}
    held = list(CreditHold.objects.values_list("attempt_id", flat=True))
    assert outcomes(lambda number: release_holds(held[number % 3]), threads=9) == {"done": 9}
    credit.refresh_from_db()
    assert credit.held == 0
    assert list(discrepancies()) == []
