"""The admin screens of orders, attempts and return reasons."""

from html import unescape
from typing import Any

import pytest
from django.contrib.admin.utils import quote
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from commerce.operations.roles.role_setup import set_up_roles
from orders.models import CompletionAttempt, Order, OrderLineItem, ReturnReason
from tests.factories.orders import order, return_reason
from tests.factories.staff import UserFactory
from tests.kit.admin.forms import save

pytestmark = pytest.mark.django_db

ORDERS, ATTEMPTS, REASONS = (f"/admin/orders/{name}/" for name in ("order", "completionattempt", "returnreason"))


def text_of(response: Any) -> str:
    """What the page says, without its markup."""
    assert response.status_code == 200
    return " ".join(unescape(strip_tags(response.content.decode())).split())


def found(client: Client, query: str) -> list[str]:
    response = client.get(f"{ORDERS}?{query}")
    assert response.status_code == 200
    return [row.pk for row in response.context["cl"].result_list]


def test_the_list_shows_number_email_total_and_statuses(admin_client: Client) -> None:
    placed = order(captured=True)
    text = text_of(admin_client.get(ORDERS))
    for shown in (f"#{placed.display_id}", "ann@example.com", "$118.90", "Captured", "Not fulfilled", "To pack"):
        assert shown in text


def test_an_order_is_found_by_number_email_and_ids(admin_client: Client) -> None:
    first, second = order(), order(email="bob@example.com")
    for word, row in (
        (f"%23{second.display_id}", second),
        ("Bob@Example.com", second),
        (first.pk, first),
        (second.cart_id, second),
    ):
        assert found(admin_client, f"q={word}") == [row.pk], word
    assert found(admin_client, "q=nobody@example.com") == found(admin_client, f"q={'9' * 30}") == []
    assert found(admin_client, "payment_status__exact=captured") == []
    assert len(found(admin_client, "fulfillment_status__exact=not_fulfilled")) == 2


def test_its_page_shows_everything_and_changes_nothing(admin_client: Client) -> None:
    placed = order(captured=True)
    OrderLineItem.objects.filter(order=placed).update(fulfilled_quantity=2, shipped_quantity=1)
    address = f"{ORDERS}{quote(placed.pk)}/change/"
    text = text_of(admin_client.get(address))
    for shown in (
        *("Mug", "Blue", "$20.00", "$54.00", "2 packed", "1 shipped"),
        *("1 Elm Street", "10001 New York", "Option 0", "Gift card", "$5.00", "$118.90", "Captured"),
    ):
        assert shown in text, shown
    before = Order.objects.values().get()
    assert admin_client.post(address, {"email": "changed@example.com"}).status_code == 403
    assert Order.objects.values().get() == before


def test_its_page_costs_as_many_statements_for_many_lines(admin_client: Client) -> None:
    small, large = order(lines=1), order(lines=40)
    counts = []
    for placed in (small, large):
        admin_client.get(f"{ORDERS}{quote(placed.pk)}/change/")
        with CaptureQueriesContext(connection) as statements:
            admin_client.get(f"{ORDERS}{quote(placed.pk)}/change/")
        counts.append(len(statements))
    assert counts[0] == counts[1]


def test_attempts_are_shown_with_what_they_wait_for(admin_client: Client) -> None:
    CompletionAttempt.objects.create(cart_id="cart_1", session_id="payses_1", total=5, currency_id="usd")
    text = text_of(admin_client.get(ATTEMPTS))
    for shown in ("A deleted cart", "open", "$5.00"):
        assert shown in text


def test_a_return_reason_is_made_changed_and_deleted(admin_client: Client) -> None:
    admin_client.post(f"{REASONS}add/", {"label": "Wrong size", "value": "size", "metadata": "null"})
    parent = ReturnReason.objects.get()
    child = return_reason("small", "Too small", parent_return_reason=parent)
    form = {"label": "Size", "value": "size", "parent_return_reason": child.pk, "metadata": "null"}
    address = f"{REASONS}{quote(parent.pk)}/change/"
    assert "This reason is the same, or below it." in text_of(save(admin_client, address, form))
    assert save(admin_client, address, {**form, "parent_return_reason": ""}).status_code == 302
    parent.refresh_from_db()
    assert (parent.label, parent.parent_return_reason_id) == ("Size", None)
    delete = f"{REASONS}{quote(parent.pk)}/delete/"
    assert "delete or move them first" in text_of(admin_client.post(delete, {"post": "yes"}, follow=True))
    admin_client.post(f"{REASONS}{quote(child.pk)}/delete/", {"post": "yes"})
    admin_client.post(delete, {"post": "yes"})
    assert not ReturnReason.objects.not_deleted().exists()


@pytest.mark.parametrize(
    ("role", "orders", "reasons"),
    [("Customer care", 200, 403), ("Payments", 200, 403), ("Shop settings", 403, 200), ("Catalogue", 403, 403)],
)
def test_roles_open_what_they_are_for(client: Client, role: str, orders: int, reasons: int) -> None:
    set_up_roles()
    user = UserFactory()
    user.groups.set(user.groups.model.objects.filter(name=role))
    client.force_login(user)
    placed = order()
    assert client.get(ORDERS).status_code == client.get(f"{ORDERS}{quote(placed.pk)}/change/").status_code == orders
    assert client.get(f"{REASONS}add/").status_code == reasons
