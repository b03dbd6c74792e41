"""After any sequence of what can happen to gift cards and store credit, the ledger is what plain arithmetic says."""

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from customers.models import Customer
from giftcards.cards import cancellation, issuing, redemption
from giftcards.cards.issuing import Terms
from giftcards.ledger import adjustment, refunding
from giftcards.ledger.references import Reference
from giftcards.models import GiftCard, StoreCreditAccount
from giftcards.spending.holds import hold_credit, release_holds
from kit.domain.actor import SYSTEM
from kit.errors import DomainError
from kit.values.timestamps import now
from shop.models import Currency
from tests.books import disagreements
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import cart_paid_by, redeemer, spend
from tests.giftcards.books import books
from tests.properties.plain_ledger import CENTS, Ledger, Owner

CUSTOMERS = 2
amounts = st.sampled_from([-500, 0, 1, 99, 100, 700, 1_000, 1_001, 3_000])
customers = st.integers(0, CUSTOMERS - 1)
currencies = st.sampled_from(["usd", "usd", "eur", "jpy"])
some = st.integers(0, 3)
"""One of the cards or accounts that there are by then, whatever their number."""
few = st.integers(0, 1)
paid, orders = st.sampled_from([100, 700, 1_000, 3_000]), st.integers(0, 3)
"""What carts take, and the numbers of attempts and of their orders."""

Step = tuple[Any, ...]
STEPS = st.one_of(
    st.tuples(st.just("issue"), amounts, currencies, st.none() | customers),
    st.tuples(st.just("redeem"), some, customers),
    st.tuples(st.just("redeem_for_guest"), some),
    st.tuples(st.just("expire"), some),
    st.tuples(st.just("cancel"), some),
    st.tuples(st.just("adjust"), customers, currencies, amounts | amounts.map(int.__neg__)),
    st.tuples(st.just("hold"), some, paid, orders),
    st.tuples(st.just("release"), orders),
    st.tuples(st.just("spend"), some, paid, orders),
    st.tuples(st.just("spend"), some, paid, orders),
    st.tuples(st.just("refund"), some, amounts, few, few),
    st.tuples(st.just("refund"), some, amounts, few, few),
)
BEFORE: list[Step] = [
    *(("adjust", 0, "usd", 1_000), ("adjust", 0, "usd", 700), ("adjust", 1, "usd", 1_001)),
    *(("issue", 1_000, "usd", None), ("issue", 700, "eur", None), ("issue", 3_000, "jpy", 1)),
    *(("redeem_for_guest", 0), ("spend", 0, 1_000, 0), ("refund", 0, 700, 0, 0)),
]
"""What a shop has been through when a walk begins: refusals are rare where there is nothing yet."""


class Shop:
    """The verbs, called by the numbers and cents that the plain ledger knows."""

    def __init__(self) -> None:
        for code in CENTS:
            Currency.objects.get_or_create(code=code)
        self.customers: list[Customer] = [CustomerFactory() for _ in range(CUSTOMERS)]
        self.cards: list[GiftCard] = []

    def issue(self, value: int, currency: str, bound_to: int | None) -> None:
        bound = None if bound_to is None else self.customers[bound_to].pk
        terms = Terms(value=major(value), currency_code=currency, customer_id=bound)
        self.cards += issuing.issue(actor=SYSTEM, terms=terms)

    def expire(self, number: int) -> None:
        GiftCard.objects.filter(pk=self.cards[number].pk).update(expires_at=now() - timedelta(seconds=1))

    def cancel(self, number: int) -> None:
        cancellation.cancel(actor=SYSTEM, card_id=self.cards[number].pk)

    def redeem(self, number: int, customer: int) -> None:
        redemption.redeem(actor=redeemer(self.customers[customer]), id_or_code=self.cards[number].code)

    def redeem_for_guest(self, number: int) -> None:
        redemption.redeem_for_guest(actor=SYSTEM, card_id=self.cards[number].pk)

    def adjust(self, customer: int, currency: str, amount: int) -> None:
        adjustment.adjust(
            actor=SYSTEM,
            customer_id=self.customers[customer].pk,
            currency_code=currency,
            amount=major(amount),
            reason="for the test",
        )

    def spend(self, owner: Owner, amount: int, payer: int) -> None:
        spend(self.account(owner).pk, major(amount), order_id=str(payer), attempt_id=str(payer))

    def hold(self, owner: Owner, amount: int, attempt: int) -> None:
        account = self.account(owner)
        cart = cart_paid_by((account.gift_card or account, major(amount)), customer_id=account.customer_id)
        hold_credit(attempt_id=str(attempt), cart=cart)

    def release(self, attempt: int) -> None:
        release_holds(str(attempt))

    def refund(self, owner: Owner, amount: int, payer: int, refund: int) -> None:
        refunding.refund(
            actor=SYSTEM,
            account_id=self.account(owner).pk,
            amount=major(amount),
            payer=Reference("order", str(payer)),
            refund_id=str(refund),
        )

    def account(self, owner: Owner) -> StoreCreditAccount:
        kind, number, currency = owner
        by = {"customer": self.customers[number]} if kind == "customer" else {"gift_card": self.cards[number]}
        return StoreCreditAccount.objects.get(currency_id=currency, **by)

    def owner(self, account: dict[str, Any]) -> Owner:
        """Of a stored row."""
        if account["customer_id"] is not None:
            number = [each.pk for each in self.customers].index(account["customer_id"])
            return "customer", number, account["currency_id"]
        return "card", [each.pk for each in self.cards].index(account["gift_card_id"]), account["currency_id"]


@pytest.mark.django_db
def test_whatever_happens_the_ledger_is_what_plain_arithmetic_says() -> None:
    @given(st.lists(STEPS, min_size=4, max_size=16))
    @settings(max_examples=25)
    def walk(steps: list[Step]) -> None:
        with transaction.atomic():
            shop, plain = Shop(), Ledger()
            stored = books()
            for name, *values in [*BEFORE, *steps]:
                named = chosen(plain, name, values)
                if named is None:
                    continue
                expected = outcome(getattr(plain, name), named)
                assert outcome(getattr(shop, name), named) == expected, (name, named)
                before, stored = stored, books()
                if expected:
                    assert stored == before, (name, named)
                hold(shop, plain, stored)
            assert disagreements() == []
            transaction.set_rollback(True)

    walk()


def chosen(plain: Ledger, name: str, values: list[Any]) -> list[Any] | None:
    """The values with one of the cards, or accounts, that there are in the first one's place; None without any.

    None also for an attempt that has holds already, and for an order that has been paid.
    """
    if name in ("issue", "adjust", "release"):
        return values
    is_of_accounts = name in ("spend", "refund", "hold")
    there: list[Any] = list(plain.accounts) if is_of_accounts else list(range(len(plain.cards)))
    if not there or (name in ("spend", "hold") and values[-1] in {order for order, _ in plain.spent}):
        return None
    if name == "hold" and values[-1] in plain.held:
        return None
    return [there[values[0] % len(there)], *values[1:]]


def outcome(act: Callable[..., None], values: list[Any]) -> type[DomainError] | None:
    """The refusal, if it is one."""
    try:
        act(*values)
    except DomainError as error:
        return type(error)
    return None


Rows = list[dict[str, Any]]


def hold(shop: Shop, plain: Ledger, stored: tuple[Rows, Rows, Rows, Rows]) -> None:
    """The stored rows, oldest first, are the plain ones, and all that is kept is the sum of entries."""
    cards, accounts, groups, entries = stored
    status = {card["id"]: card["status"] for card in cards}
    assert [status[card.pk] for card in shop.cards] == [card.status for card in plain.cards]
    assert len(entries) == plain.entries
    assert {shop.owner(account) for account in accounts} == set(plain.accounts)
    credited = Counter(entry["reference_id"] for entry in entries if is_card_credit(entry))
    assert credited == Counter(card_id for card_id in status if status[card_id] == "redeemed")
    for account in accounts:
        own = [group for group in groups if group["account_id"] == account["id"]]
        assert [cents(left(group)) for group in own] == plain.accounts[shop.owner(account)]
        assert left(account) == sum(map(left, own)) >= account["held"]
        held = sum(amount for whose, amount in plain.held.values() if whose == shop.owner(account))
        assert cents(account["held"]) == held
        for group in own:
            of = [entry for entry in entries if entry["group_id"] == group["id"]]
            assert group["credits"] == sum(entry["amount"] for entry in of if entry["type"] == "credit")
            assert group["debits"] == sum(entry["amount"] for entry in of if entry["type"] == "debit")


def left(kept: dict[str, Any]) -> Decimal:
    balance: Decimal = kept["credits"] - kept["debits"]
    return balance


def is_card_credit(entry: dict[str, Any]) -> bool:
    return (entry["type"], entry["reference"]) == ("credit", "gift_card")


def major(amount: int) -> Decimal:
    return Decimal(amount) / 100


def cents(amount: Decimal) -> int:
    return int(amount * 100)
