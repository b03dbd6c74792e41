"""What entries of store credit are for, on their screens."""

from decimal import Decimal

import pytest
from django.contrib.admin.utils import quote
from django.db import transaction

from customers.models import Customer
from giftcards.ledger import ledger
from giftcards.ledger.references import Reference
from giftcards.ledger.refunding import refund_accounts, refund_as_store_credit
from giftcards.models import StoreCreditAccount, Transaction
from orders.models import GrantedRefund, Order
from tests.factories.giftcards import spend, store_credit
from tests.factories.orders import order
from tests.kit.admin.test_named_rows import ENTRIES, GROUPS, change, linked, page, text_of
from tests.kit.admin.visits import superuser, visitor

pytestmark = pytest.mark.django_db


def granted(made: Order) -> str:
    """The id of a refund of 5.00 usd."""
    return str(GrantedRefund.objects.create(order=made, amount=5).pk)


def refunded_as_credit(customer: Customer, refund_id: str) -> Transaction:
    with transaction.atomic():
        refund_as_store_credit(50_000, customer_id=customer.pk, currency_code="usd", refund_id=refund_id)
    return Transaction.objects.get()


def paid_from_account(customer: Customer, payer: Reference) -> Transaction:
    account = store_credit(customer, 10)
    with transaction.atomic():
        ledger.debit([(ledger.lock_account(account.pk), 50_000)], entry=payer)
    return Transaction.objects.get(type="debit")


def test_a_refund_names_its_order(ann: Customer) -> None:
    made = order(customer=ann)
    refund_id = granted(made)
    entry, client = refunded_as_credit(ann, refund_id), superuser()
    for address in (ENTRIES, GROUPS, change("giftcards/transaction", entry)):
        content = page(client, address)
        assert f"Refund of order #{made.display_id}" in text_of(content)
        assert linked(content)[change("orders/order", made)] == f"#{made.display_id}"
    assert refund_id in text_of(content)
    account = page(client, change("giftcards/storecreditaccount", StoreCreditAccount.objects.get()))
    assert f"Refund of order #{made.display_id}" in text_of(account)


def test_who_may_not_open_orders_sees_the_number_only(ann: Customer) -> None:
    made = order(customer=ann)
    refunded_as_credit(ann, granted(made))
    content = page(visitor("giftcards.view_transaction"), ENTRIES)
    assert f"Refund of order #{made.display_id}" in text_of(content)
    assert quote(made.pk) not in content


def test_credit_that_returns_to_its_account_names_the_order_and_its_group_the_refund(ann: Customer) -> None:
    made, account = order(customer=ann), store_credit(ann, 100)
    spend(account.pk, Decimal(20), order_id=made.pk)
    with transaction.atomic():
        refund_accounts({account.pk: 50_000}, payers=[Reference("order", made.pk)], refund_id=granted(made))
    client = superuser()
    assert text_of(page(client, ENTRIES)).count(f"Order #{made.display_id}") == 2
    assert f"Refund of order #{made.display_id}" in text_of(page(client, GROUPS))


def test_a_refund_without_an_order_shows_its_id(ann: Customer) -> None:
    entry = refunded_as_credit(ann, "refund_of_another_shop")
    shown = text_of(page(superuser(), change("giftcards/transaction", entry)))
    assert "Refund of order" not in shown
    assert "refund_of_another_shop" in shown


def test_the_record_shows_the_id_that_a_payer_of_its_own_kind_gave(ann: Customer) -> None:
    entry = paid_from_account(ann, Reference("loyalty", "points_12"))
    shown = text_of(page(superuser(), change("giftcards/transaction", entry)))
    assert "Loyalty" in shown
    assert "points_12" in shown


@pytest.mark.parametrize("kind", ["cart", "order", "gift_card"])
def test_ids_that_open_something_are_not_shown(ann: Customer, kind: str) -> None:
    entry = paid_from_account(ann, Reference(kind, "its_id"))
    assert "its_id" not in page(superuser(), change("giftcards/transaction", entry))
