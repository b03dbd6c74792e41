"""The buttons that erase a person, on the pages of customers and of guests' orders."""

from html import unescape
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.admin.utils import quote
from django.test import Client
from django.utils.html import strip_tags

from customers.models import Customer
from kit.domain.actor import SYSTEM
from orders.erasure import people
from orders.erasure.erasing import erase as erase_person
from orders.managing import details
from orders.managing.notes import add_note
from orders.models import Order
from tests.factories.customers import CustomerFactory
from tests.factories.staff import UserFactory
from tests.kit.admin.visits import visitor
from tests.orders.managing.shop import staff
from tests.orders.placed import GUEST, placed

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def page_of(row: Any) -> str:
    return f"/admin/{row._meta.app_label}/{row._meta.model_name}/{quote(row.pk)}"


def text_of(response: Any) -> str:
    assert response.status_code == 200
    return " ".join(unescape(strip_tags(response.content.decode())).split())


def erase(client: Client, row: Any, typed: str) -> Any:
    path = "erase_customer" if isinstance(row, Customer) else "erase"
    return client.post(f"{page_of(row)}/{path}/", {"post": "yes", "name": typed}, follow=True)


def completed(**given: Any) -> Order:
    order = placed(**given)
    Order.objects.filter(pk=order.pk).update(status="completed")
    return Order.objects.get(pk=order.pk)


def test_a_customer_is_erased_once_their_email_is_typed(admin_client: Client) -> None:
    customer = CustomerFactory(email="pia@example.com")
    assert "Erase personal data" in text_of(admin_client.get(f"{page_of(customer)}/change/"))
    shown = text_of(admin_client.get(f"{page_of(customer)}/erase_customer/"))
    for said in ("Erased now", "Kept for accounting", "cannot be undone", "Type pia@example.com to confirm"):
        assert said in shown
    assert "This does not match the text above." in text_of(erase(admin_client, customer, "pia"))
    assert Customer.objects.get(pk=customer.pk).email == "pia@example.com"
    assert "The personal data was erased." in text_of(erase(admin_client, customer, " PIA@example.com"))
    assert Customer.objects.get(pk=customer.pk).email is None
    entry = LogEntry.objects.get(object_id=customer.pk)
    assert (entry.object_repr, entry.change_message) == (customer.pk, "Personal data erased.")
    assert "Erase personal data" not in text_of(admin_client.get(f"{page_of(customer)}/change/"))


def test_a_guest_is_erased_on_the_page_of_an_order(admin_client: Client) -> None:
    order, other = completed(), completed()
    assert "Erased from 2 orders" in text_of(admin_client.get(f"{page_of(order)}/erase/"))
    erase(admin_client, order, GUEST)
    assert set(Order.objects.filter(pk__in=(order.pk, other.pk)).values_list("email", flat=True)) == {None}
    page = text_of(admin_client.get(f"{page_of(order)}/change/"))
    assert "Erase personal data" not in page
    assert GUEST not in page


@pytest.mark.parametrize("has_account", [False, True])
def test_what_staff_add_to_an_erased_order_can_be_erased_too(admin_client: Client, has_account: bool) -> None:
    customer = CustomerFactory(email="pia@example.com", has_account=True) if has_account else None
    order = completed(customer=customer)
    person = people.customer(customer.pk) if customer else people.guest_of(order.pk)
    erase_person(actor=SYSTEM, person=person)
    other = completed()
    for change in (
        lambda: add_note(actor=staff(), order_id=order.pk, text="Pia Lind called"),
        lambda: details.change(actor=staff(), order_id=order.pk, metadata={"caller": "Pia Lind"}),
        lambda: details.change(actor=staff(), order_id=order.pk, shipping_address={"last_name": "Lind"}),
    ):
        assert "Erase personal data" not in text_of(admin_client.get(f"{page_of(order)}/change/"))
        change()
        assert "Erase personal data" in text_of(admin_client.get(f"{page_of(order)}/change/"))
        assert f"Type {order} to confirm" in text_of(admin_client.get(f"{page_of(order)}/erase/"))
        assert "This does not match the text above." in text_of(erase(admin_client, order, "#"))
        assert "The personal data was erased." in text_of(erase(admin_client, order, str(order)))
        assert "Lind" not in text_of(admin_client.get(f"{page_of(order)}/change/"))
    assert Order.objects.get(pk=other.pk).email == GUEST


def test_the_order_of_an_account_has_no_such_button(admin_client: Client) -> None:
    order = completed(customer=CustomerFactory())
    assert "Erase personal data" not in text_of(admin_client.get(f"{page_of(order)}/change/"))
    assert "is not a guest's" in text_of(erase(admin_client, order, GUEST))


def test_a_refusal_is_shown_in_the_form(admin_client: Client) -> None:
    order = placed()
    assert f"order {order}: not all items are delivered" in text_of(erase(admin_client, order, GUEST))
    assert Order.objects.get(pk=order.pk).email == GUEST


@pytest.mark.parametrize("permissions", [(), ("customers.delete_customer", "customers.change_customer")])
def test_without_the_permission_there_is_no_button(client: Client, permissions: tuple[str, ...]) -> None:
    client.force_login(UserFactory(permissions=["customers.view_customer", "orders.view_order", *permissions]))
    for row in (CustomerFactory(), placed()):
        assert "Erase personal data" not in text_of(client.get(f"{page_of(row)}/change/"))
        assert erase(client, row, GUEST).status_code == 403
    assert not Order.objects.filter(email=None).exists()


def test_it_shows_nothing_to_users_who_may_not_view_the_person() -> None:
    client = visitor("customers.erase_customer")
    for row, path in ((CustomerFactory(), "erase_customer"), (completed(), "erase")):
        assert client.get(f"{page_of(row)}/{path}/").status_code == 404
