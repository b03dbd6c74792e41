"""Who may open which form, and about what."""

import re

import pytest
from django.test import Client

from orders.admin.actions import ACTIONS, action_url
from orders.admin.forms import FORMS
from orders.models import Order
from tests.factories.staff import UserFactory
from tests.kit.admin.test_vocabulary import path
from tests.orders.admin.forms.desk import desk
from tests.orders.fulfillments.shop import pack
from tests.orders.refunds.shop import payment_of
from tests.orders.returns.shop import delivered, paid, request

pytestmark = [pytest.mark.once, pytest.mark.django_db]
VIEW = "orders.view_order"


def by(*permissions: str) -> Client:
    """Somebody who has signed in and has these permissions."""
    client = Client()
    client.force_login(UserFactory(permissions=permissions))
    return client


def test_each_action_has_its_form() -> None:
    assert list(ACTIONS) == list(FORMS)


def test_each_form_takes_the_permission_of_its_route_and_that_to_view_orders() -> None:
    order = paid()
    watching, others = by(VIEW), {name: by(*action.permissions) for name, action in ACTIONS.items()}
    for name in ACTIONS:
        address = action_url(order.pk, name)
        for client in (watching, others[name]):
            assert client.get(address).status_code == client.post(address).status_code == 403, name
    assert Client().get(address).status_code == 302


def test_each_form_says_above_which_order_it_is_about_and_leads_back_to_it() -> None:
    client, _ = desk()
    order = paid(captured=False)
    for name, about in (("pack", ""), ("capture", payment_of(order).pk), ("cancel", ""), ("note", "")):
        answer = client.get(action_url(order.pk, name, about)).content.decode()
        header = answer[: answer.index('id="content"')]
        assert path(answer) == ["Orders", str(order)], name
        (link,) = re.findall(rf'<a href="([^"]*)"[^>]*>{re.escape(str(order))}</a>', header)
        assert client.get(link).context["original"] == order


def test_the_permissions_are_enough() -> None:
    order = paid()
    for name in ("pack", "refund", "note", "change-details", "complete", "cancel"):
        client = by(VIEW, *ACTIONS[name].permissions)
        assert client.get(action_url(order.pk, name)).status_code == 200, name


def test_what_is_not_the_orders_is_not_found() -> None:
    client, _ = desk()
    order, other = delivered(), paid(captured=False)
    parcel, returned, payment = pack(other, 1), request(order, 1), payment_of(other)
    before = list(Order.objects.order_by("pk").values())
    for name, about, owner in (
        *((name, parcel.pk, order) for name in ("ship", "add-label", "deliver", "cancel-fulfillment")),
        *((name, returned.pk, other) for name in ("receive-return", "cancel-return")),
        ("capture", payment.pk, order),
        *((name, "x\x00", order) for name in ("ship", "receive-return", "capture")),
        ("ship", "", order),
        ("pack", parcel.pk, other),
        ("explode", "", order),
    ):
        address = action_url(owner.pk, name, about)
        assert client.get(address).status_code == client.post(address, {}).status_code == 404, (name, about)
    for order_id in ("order_none", "x\x00"):
        assert client.get(action_url(order_id, "pack")).status_code == 404
    assert list(Order.objects.order_by("pk").values()) == before


def test_an_empty_or_foreign_body_changes_nothing() -> None:
    client, _ = desk()
    order = paid()
    for body in ({}, {"ticket": "x" * 26, "shown_state": "\x00"}, {"ticket": "0" * 26}):
        for name in ("pack", "refund", "note", "cancel"):
            response = client.post(action_url(order.pk, name), body)
            assert response.status_code == 200, name
            assert response.context["form"].errors
    order.refresh_from_db()
    assert order.version == 1
