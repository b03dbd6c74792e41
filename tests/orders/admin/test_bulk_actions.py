"""The actions on the orders of the list: who gets them, how many orders they take, and what they print."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from kit.jobs.models import Job
from orders.admin.bulk import chosen
from orders.fulfillments import delivery
from orders.models import Fulfillment, Order
from tests.factories.staff import UserFactory
from tests.kit.admin.visits import reported, superuser, visitor
from tests.kit.jobs.bulk_worker import run_bulk_worker
from tests.orders.admin.forms.desk import desk, text_of
from tests.orders.fulfillments.shop import STAFF, pack
from tests.orders.managing.bulk.shop import done, packed_orders, started, told
from tests.orders.returns.shop import paid

pytestmark = pytest.mark.django_db(transaction=True)
LIST = "/admin/orders/order/"


def asked(client: Client, name: str, *orders: Order, address: str = LIST, **given: str) -> Any:
    """The page that the action on these orders leads to."""
    keys = [order.pk for order in orders] or ["any"]
    data = {"action": f"{name}_selected", "_selected_action": keys, "index": "0"}
    return client.post(address, {**data, **({} if orders else {"select_across": "1"}), **given})


def sent(client: Client, page: Any, **values: str) -> Any:
    """Confirm the page."""
    content = page.content.decode()
    hidden = dict(re.findall(r'<input type="hidden" name="(chosen|ticket)" value="([^"]*)"', content))
    return client.post(page.context["sent_to"], {**hidden, "post": "yes", **values})


def test_all_orders_of_a_filter_are_packed_and_the_list_is_kept() -> None:
    client, orders = superuser(), [paid() for _ in range(3)]
    pack(orders[0], 5)
    address = f"{LIST}?todo=pack&o=1"
    page = asked(client, "pack", address=address)
    assert "Selected: 2 orders" in text_of(page)
    late = paid()
    answer = sent(client, page)
    run_bulk_worker()
    job = Job.objects.get()
    assert {label for label, status, _ in told(job) if status == "done"} == {str(order) for order in orders[1:]}
    assert not Fulfillment.objects.filter(order=late).exists()
    assert f'href="{address.replace("&", "&amp;")}"' in client.get(answer["Location"]).content.decode()


def test_a_page_that_is_sent_twice_starts_one_job() -> None:
    client, order = superuser(), paid()
    page = asked(client, "pack", order)
    first, second = (sent(client, page)["Location"] for _ in range(2))
    assert first == second
    assert Job.objects.get().total == 1


def test_more_orders_than_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chosen, "MOST", 2)
    client, _ = superuser(), [paid() for _ in range(3)]
    for name in ("pack", "capture", "print", "ship", "complete", "archive"):
        answer = asked(client, name)
        assert (answer.status_code, answer["Location"]) == (302, LIST)
        assert reported(answer)[-1].startswith("More than 500 orders are selected.")
    assert not Job.objects.exists()


ROLES = {
    "Customer care": ["print", "complete", "archive"],
    "Warehouse": ["pack", "print", "ship"],
    "Payments": ["capture", "print"],
    "Order exports": ["print"],
}


@pytest.mark.parametrize("role", ROLES)
def test_each_role_gets_the_actions_that_its_forms_have(role: str) -> None:
    order = paid()
    client, _ = desk(role)
    choices = client.get(LIST).context["action_form"].fields["action"].choices
    assert [name.removesuffix("_selected") for name, _ in choices if name.endswith("_selected")] == ROLES[role]
    master = superuser()
    for name in ("pack", "capture", "print", "ship", "complete", "archive"):
        if name not in ROLES[role]:
            assert sent(client, asked(master, name, order)).status_code == 403, name
            assert asked(client, name, order).status_code == 302, name
    assert not Job.objects.exists()


def test_other_roles_get_nothing() -> None:
    client, _ = desk("Catalogue")
    for name in ("pack", "ship", "print"):
        assert client.get(f"{LIST}bulk/{name}/").status_code == 403
        assert client.post(f"{LIST}bulk/{name}/").status_code == 403
    assert superuser().get(f"{LIST}bulk/nonsense/").status_code == 404
    assert superuser().get(f"{LIST}bulk/pack/")["Location"] == LIST


@pytest.mark.parametrize("name", ["pack", "capture", "complete", "archive"])
def test_who_loses_the_permission_is_refused_each_order(name: str) -> None:
    orders, user = [paid(captured=False) for _ in range(2)], UserFactory(is_superuser=True)
    job = started(name, *orders, user=user)
    user.is_superuser = False
    user.save()
    run_bulk_worker()
    assert [row[1:] for row in told(job)] == [("refused", "The permission 'orders.view_order' is required")] * 2
    assert not Fulfillment.objects.exists()
    assert {order.payment_status for order in Order.objects.all()} == {"authorized"}


def test_who_has_left_is_refused_each_order() -> None:
    user, orders = UserFactory(is_superuser=True), [paid()]
    job = started("pack", *orders, user=user)
    user.is_active = False
    user.save()
    run_bulk_worker()
    assert [row[1] for row in told(job)] == ["refused"]


def test_an_order_that_is_gone_is_named() -> None:
    order = paid()
    job = started("pack", order)
    Order.objects.update(deleted_at=order.created_at)
    run_bulk_worker()
    assert told(job) == [(order.pk, "refused", "It no longer exists.")]


def test_packing_lists_are_one_document() -> None:
    client, fresh, sent_off = superuser(), paid(), paid()
    (packed,) = packed_orders(1)
    done("pack", sent_off)
    delivery.deliver(actor=STAFF, fulfillment_id=sent_off.fulfillments.get().pk)
    part = paid()
    pack(part, 2)
    pack(part, 1)
    question = asked(client, "print", fresh, packed, sent_off, part, address=f"{LIST}?o=-1")
    page = sent(client, question, document="packing-lists")
    sheets = page.context["sheets"]
    assert [(each.order, each.title, each.parcel, each.pieces) for each in sheets] == [
        (part, "Packing list", "", 2),
        (part, "Packing list", "parcel 1", 2),
        (part, "Packing list", "parcel 2", 1),
        (packed, "Packing list", "", 1),
        (fresh, "Packing list", "", 5),
    ]
    text = text_of(page)
    assert f"Nothing to print: {sent_off}" in text
    assert f"Order {part}, parcel 2, placed" in text
    assert f'href="{LIST}?o=-1"' in page.content.decode()


def test_delivery_notes_are_one_document() -> None:
    client, orders = superuser(), [*packed_orders(2), paid()]
    page = sent(client, asked(client, "print", *orders), document="delivery-notes")
    assert [(each.order, each.title, each.pieces) for each in page.context["sheets"]] == [
        (orders[1], "Delivery note", 1),
        (orders[0], "Delivery note", 1),
    ]
    assert page.context["without"] == [orders[2]]


@pytest.mark.parametrize("document", ["packing-lists", "delivery-notes"])
def test_a_document_of_many_orders_costs_as_many_statements_as_one(document: str) -> None:
    client, counts = superuser(), []
    for number in (1, 4):
        page = asked(client, "print", *packed_orders(number))
        with CaptureQueriesContext(connection) as seen:
            sent(client, page, document=document)
        counts.append(len(seen))
    assert counts[0] == counts[1]


def test_those_who_may_not_see_orders_print_nothing() -> None:
    page = asked(superuser(), "print", paid())
    assert sent(visitor("orders.view_return"), page, document="packing-lists").status_code == 403
