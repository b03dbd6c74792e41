"""Screens name carts, orders, payments and gift cards, and link to them, in place of ids that open carts to anybody."""

import re
from decimal import Decimal
from html import unescape
from typing import Any

import pytest
from django.contrib.admin.utils import quote
from django.contrib.auth.models import Group
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from catalog.models import InventoryLevel, Reservation
from commerce.operations.roles.role_setup import set_up_roles
from commerce.operations.roles.roles import ROLES
from customers.models import Customer
from giftcards.cards import redemption
from giftcards.ledger import ledger
from giftcards.ledger.references import Reference
from giftcards.models import StoreCreditAccount, Transaction, TransactionGroup
from orders.models import CompletionAttempt, OrderLineItem
from payments.models import PaymentCollection
from tests.factories import carts as make
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, redeemer, spend, store_credit
from tests.factories.inventory import ReservationFactory, stock
from tests.factories.orders import order
from tests.kit.admin.pages import every_screen, row_pages
from tests.kit.admin.visits import superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db]

ATTEMPTS, RESERVATIONS = "/admin/orders/completionattempt/", "/admin/catalog/reservation/"
ENTRIES, GROUPS = "/admin/giftcards/transaction/", "/admin/giftcards/transactiongroup/"


@pytest.fixture
def ann() -> Customer:
    return CustomerFactory(email="ann@example.com")


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def text_of(content: str) -> str:
    """What the page says, without its markup."""
    return " ".join(unescape(strip_tags(content)).split())


def linked(content: str) -> dict[str, str]:
    """The texts of the page's links, by address."""
    found = re.findall(r'<a href="([^"]+)"[^>]*>(.*?)</a>', content, re.DOTALL)
    return {address: text_of(text) for address, text in found}


def paid_from_account(customer: Customer, payer: Reference) -> None:
    account = store_credit(customer, 10)
    with transaction.atomic():
        ledger.debit([(ledger.lock_account(account.pk), 50_000)], entry=payer)


def change(app_and_model: str, row: Any) -> str:
    return f"/admin/{app_and_model}/{quote(row.pk)}/change/"


def test_a_cart_links_to_its_customer_order_payment_and_products(ann: Customer) -> None:
    made = order(customer=ann)
    cart, line = made.cart_id, OrderLineItem.objects.filter(order=made).order_by("pk")[0]
    content = page(superuser(), f"/admin/carts/cart/{quote(cart)}/change/")
    links = linked(content)
    paid = PaymentCollection.objects.get(cart=cart)
    assert links[change("orders/order", made)] == f"#{made.display_id}"
    assert links[change("payments/paymentcollection", paid)] == f"${paid.amount:.2f}, authorized"
    assert links[f"/admin/catalog/product/{quote(line.product_id)}/change/"] == line.title
    assert change("customers/customer", ann) in content
    assert cart not in text_of(content)


def test_an_open_cart_has_no_order_and_no_payment_yet() -> None:
    cart = make.cart(make.sold_variant(10))
    assert re.search(r"Order\s+-", text_of(page(superuser(), change("carts/cart", cart))))


def test_links_of_a_cart_are_names_for_users_who_may_not_follow_them() -> None:
    made = order()
    content = page(visitor("carts.view_cart"), f"/admin/carts/cart/{quote(made.cart_id)}/change/")
    assert "/admin/orders/" not in content
    assert "/admin/payments/" not in content
    assert "/admin/catalog/" not in content
    assert f"#{made.display_id}" in text_of(content)


def test_an_attempt_names_its_cart() -> None:
    cart = make.cart(make.sold_variant(10), email="ann@example.com")
    attempt = CompletionAttempt.objects.create(cart_id=cart.pk, session_id="payses_1", total=5, currency_id="usd")
    for address in (ATTEMPTS, change("orders/completionattempt", attempt)):
        content = page(superuser(), address)
        assert linked(content)[change("carts/cart", cart)] == "Cart of ann@example.com, $10.00 with tax"
        assert cart.pk not in text_of(content)
    assert "Open attempt to pay $5.00" in text_of(page(superuser(), change("orders/completionattempt", attempt)))


def test_a_reservation_names_its_order_or_cart() -> None:
    made, cart = order(), make.cart(make.sold_variant(10), email="ann@example.com")
    level: InventoryLevel = stock(make.sold_variant(10, sku="tea"), 9)
    lines = (made.items.first().pk, cart.items.first().pk)
    of_order, _ = (ReservationFactory(level=level, line_item_id=line) for line in lines)
    links = linked(page(superuser(), RESERVATIONS))
    assert links[change("orders/order", made)] == f"#{made.display_id}"
    assert links[change("carts/cart", cart)] == "Cart of ann@example.com, $10.00 with tax"
    assert f"2 of {level.inventory_item}" in text_of(page(superuser(), change("catalog/reservation", of_order)))


def test_entries_and_their_groups_name_what_they_are_for(ann: Customer) -> None:
    made, card = order(), gift_card(value=50)
    redemption.redeem(actor=redeemer(ann), id_or_code=card.pk)
    account = StoreCreditAccount.objects.get()
    spend(account.pk, Decimal(20), order_id=made.pk)
    client = superuser()
    links = linked(page(client, ENTRIES))
    assert links[change("orders/order", made)] == f"#{made.display_id}"
    assert links[change("giftcards/giftcard", card)] == str(card)
    assert linked(page(client, GROUPS))[change("giftcards/giftcard", card)] == str(card)
    debit = Transaction.objects.get(type="debit")
    shown = text_of(page(client, change("giftcards/transaction", debit)))
    assert "Debit of $20.00" in shown
    assert made.pk not in shown
    group = change("giftcards/transactiongroup", TransactionGroup.objects.get())
    assert "Gift card, $50.00" in text_of(page(client, group))
    assert made.pk not in text_of(page(client, change("giftcards/storecreditaccount", account)))


def test_a_cart_names_its_customer_only_to_roles_that_may_open_carts() -> None:
    cart = make.cart(make.sold_variant(10), email="guest@example.com")
    CompletionAttempt.objects.create(cart_id=cart.pk, session_id="payses_1", total=5, currency_id="usd")
    level: InventoryLevel = stock(make.sold_variant(10, sku="tea"), 9)
    ReservationFactory(level=level, line_item_id=cart.items.first().pk)
    paid_from_account(CustomerFactory(), Reference("cart", cart.pk))
    set_up_roles()
    screens = [screen for screen in every_screen() if screen[0] in (CompletionAttempt, Reservation, Transaction)]
    addresses = (ATTEMPTS, RESERVATIONS, ENTRIES, *row_pages("change", screens=screens))
    named: dict[str, set[str]] = {}
    for role, permissions in ROLES.items():
        reader = visitor()
        reader.user.groups.add(Group.objects.get(name=role))
        for address in addresses:
            answer = reader.get(address)
            if answer.status_code == 200:
                expected = (
                    "Cart of guest@example.com, $10.00 with tax" if "carts.view_cart" in permissions else "A cart"
                )
                assert (role, address, expected in text_of(answer.content.decode())) == (role, address, True)
                assert ("guest@example.com" in answer.content.decode()) == ("carts.view_cart" in permissions)
                named.setdefault(role, set()).add(address)
    assert {"Catalogue", "Customer care", "Gift cards", "Payments", "Warehouse"} == named.keys()
    assert [len(named[role]) for role in ("Catalogue", "Gift cards", "Warehouse")] == [2, 2, 4]


def test_many_rows_cost_as_many_statements_as_one() -> None:
    def attempt() -> None:
        cart = make.cart(make.sold_variant(10))
        CompletionAttempt.objects.create(cart_id=cart.pk, session_id="payses_1", total=5, currency_id="usd")

    def statements() -> int:
        with CaptureQueriesContext(connection) as queries:
            page(client, ATTEMPTS)
        return len(queries)

    client = superuser()
    attempt()
    few = statements()
    for _ in range(5):
        attempt()
    assert statements() == few
