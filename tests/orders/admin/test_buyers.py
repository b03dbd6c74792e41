"""The list of everyone who has ordered."""

import re

import pytest
from django.contrib.admin.utils import quote
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags
from pytest_django import Settings

from kit.domain.actor import SYSTEM
from orders.admin import buyers
from orders.erasure import people
from orders.erasure.erasing import erase
from orders.models import Order, OrderAddress
from tests.factories.carts import cart, sold_variant
from tests.factories.checkout import ready_cart
from tests.factories.customers import CustomerFactory
from tests.kit.admin.visits import superuser, visitor
from tests.orders.completing import order_of
from tests.orders.placed import placed

pytestmark = pytest.mark.django_db
LIST, ORDERS = "/admin/orders/buyer/", "/admin/orders/order/"


def rows(query: str = "", client: Client | None = None) -> list[list[str]]:
    """The texts of the cells of each buyer."""
    page = (client or superuser()).get(f"{LIST}?{query}").content.decode()
    bodies = re.findall(r'<tr class="data-row.*?</tr>', page, re.DOTALL)
    return [
        [" ".join(strip_tags(cell).split()) for cell in re.findall(r"<t[dh].*?</t[dh]>", body, re.DOTALL)]
        for body in bodies
    ]


def guest_order(email: str, *names: str, amount: int = 10) -> Order:
    order = placed(cart=cart(sold_variant(amount), email=email))
    if names:
        address = OrderAddress.objects.create(first_name=names[0], last_name=names[1])
        Order.objects.filter(pk=order.pk).update(shipping_address=address)
    return order


def test_guests_are_people_by_email_and_customers_by_account() -> None:
    zoe = CustomerFactory(has_account=True, first_name="Zoe", last_name="Kent", email="zoe@example.com")
    guest_order("ann@example.com", "Ann", "Lee")
    second = guest_order("ann@example.com", "Ann L.", "Lee", amount=20)
    of_account = placed(customer=zoe)
    same_email = guest_order("zoe@example.com")
    assert rows() == [
        [
            "zoe@example.com",
            "zoe@example.com",
            "Guest Email of an account",
            "1",
            "$10.00",
            last(same_email),
        ],
        ["Zoe Kent", "zoe@example.com", "Account", "1", "$10.00", last(of_account)],
        ["Ann L. Lee, Ann Lee", "ann@example.com", "Guest", "2", "$30.00", last(second)],
    ]
    assert [row[1] for row in rows("kind=customers")] == ["zoe@example.com"]
    assert [row[2] for row in rows("kind=guests")] == ["Guest Email of an account", "Guest"]


def last(order: Order) -> str:
    return f"{order} {order.created_at:%-d %b %Y, %H:%M}"


def test_totals_are_those_of_orders_that_are_not_canceled_by_currency() -> None:
    canceled, _, euros = (guest_order("ann@example.com", amount=amount) for amount in (10, 20, 30))
    Order.objects.filter(pk=canceled.pk).update(canceled_at=canceled.created_at, status="canceled")
    Order.objects.filter(pk=euros.pk).update(currency="eur")
    assert [row[3:5] for row in rows()] == [["3", "30,00 €$20.00"]]


def test_a_buyer_is_found_by_any_of_their_orders_and_leads_to_them() -> None:
    client = superuser()
    ann = [guest_order("ann@example.com", "Ann", "Lee"), guest_order("ann@example.com", "Cher", "Ami")]
    other = guest_order("ben@example.com")
    assert [row[1] for row in rows("q=cher", client)] == []  # the entry is that of the cart's address
    found = {word: [row[1] for row in rows(f"q={word}", client)] for word in ("ann@", f"%23{ann[0].display_id}", "ben")}
    assert found == {"ann@": ["ann@example.com"], f"%23{ann[0].display_id}": ["ann@example.com"], "ben": [other.email]}
    opened = client.get(f"{LIST}{quote(ann[1].pk)}/change/")
    assert opened.url == f"{ORDERS}?buyer={ann[1].pk}"
    shown = client.get(opened.url).context["cl"].result_list
    assert [each.pk for each in shown] == [ann[1].pk, ann[0].pk]
    assert client.get(f"{ORDERS}?buyer=nobody").context["cl"].result_count == 0


def test_of_many_found_orders_the_buyers_of_the_latest_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buyers, "MOST_FOUND", 2)
    client = superuser()
    for name in ("ann", "ben", "cleo"):
        guest_order(f"{name}@example.com")
    assert [row[1] for row in rows("q=example", client)] == ["cleo@example.com", "ben@example.com"]
    assert "More than 2 orders were found." in client.get(f"{LIST}?q=example").content.decode()
    assert "were found." not in client.get(f"{LIST}?q=ann").content.decode()


def test_a_customers_orders_are_not_those_of_guests_with_their_email() -> None:
    zoe = CustomerFactory(has_account=True, email="zoe@example.com")
    client, own, guest = superuser(), placed(customer=zoe), guest_order("zoe@example.com")
    for order in (own, guest):
        listed = client.get(f"{ORDERS}?buyer={order.pk}").context["cl"].result_list
        assert [each.pk for each in listed] == [order.pk]


@pytest.mark.parametrize("retention", [0, 3650])
def test_an_erased_person_is_no_buyer_even_while_their_orders_wait(settings: Settings, retention: int) -> None:
    settings.ERASURE_RETENTION_DAYS = retention
    paid = order_of(ready_cart(sold_variant(10), email="ann@example.com"))
    Order.objects.filter(pk=paid.pk).update(status="archived")
    assert [row[1] for row in rows()] == ["ann@example.com"]
    erase(actor=SYSTEM, person=people.guest("ann@example.com"))
    assert rows() == rows("q=ann") == []


def test_it_is_for_those_who_may_view_orders() -> None:
    guest_order("ann@example.com")
    assert len(rows(client=visitor("orders.view_order"))) == 1
    assert visitor("customers.view_customer").get(LIST).status_code == 403
    page = f"{LIST}{quote(Order.objects.get().pk)}/change/"
    assert visitor("customers.view_customer").get(page).status_code == superuser().get(f"{LIST}add/").status_code == 403
    assert superuser().get(f"{LIST}{quote('order_none')}/change/").url == "/admin/"


def test_the_list_costs_as_many_statements_for_many_buyers_as_for_one() -> None:
    client = visitor("orders.view_order")
    counts = []
    for more in (1, 5):
        for number in range(more):
            guest_order(f"{more}-{number}@example.com")
        client.get(LIST)
        with CaptureQueriesContext(connection) as seen:
            assert len(rows(client=client)) == (1 if more == 1 else 6)
        counts.append(len(seen))
    # session, user, two kinds of permissions, two counts, page, what they bought, accounts with the same emails
    assert counts == [9, 9]
