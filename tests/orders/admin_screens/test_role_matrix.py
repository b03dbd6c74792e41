"""Each role of `setup_roles` at each screen and form of orders: what opens, and what is refused."""

import pytest
from django.contrib.admin.utils import quote

from commerce.operations.roles import ROLES
from orders.admin.actions import ACTIONS, action_url
from orders.models import Order
from orders.returns import creation
from tests.factories.staff import UserFactory
from tests.orders.admin_forms.desk import desk
from tests.orders.admin_screens.shop import example_order
from tests.orders.fulfillments.shop import STAFF
from tests.orders.refunds.shop import payment_of
from tests.orders.returns.shop import wanted

pytestmark = [pytest.mark.once, pytest.mark.django_db]

LIST = "/admin/orders/order/"
READ = {"list", "order", "packing list", "delivery note"}
PARCELS = {"ship", "add-label", "deliver", "cancel-fulfillment"}
RETURNS = {"request-return", "receive-return", "cancel-return"}
MAY = {
    "Customer care": {
        *READ,
        *RETURNS,
        *("note", "change-details", "send-mail", "send-gift-card", "complete", "archive", "cancel"),
    },
    "Warehouse": {*READ, "pack", *PARCELS, *RETURNS, "note"},
    "Payments": {*READ, "capture", "refund", "note"},
    "Order exports": {*READ, "export"},
}
"""What opens for a role; every other role opens nothing of orders."""


def addresses(order: Order) -> dict[str, str]:
    """Of each screen and form, about something that the order has."""
    page = f"{LIST}{quote(order.pk)}"
    parcel, back = order.fulfillments.first().pk, order.returns.latest("created_at").pk
    about = {
        **dict.fromkeys(PARCELS, parcel),
        **dict.fromkeys(RETURNS - {"request-return"}, back),
        "capture": payment_of(order).pk,
    }
    return {
        "list": LIST,
        "order": f"{page}/change/",
        "packing list": f"{page}/packing-list/",
        "delivery note": f"{page}/delivery-note/{parcel}/",
        "export": f"{LIST}export/",
        "erase": f"{page}/erase/",
        **{name: action_url(order.pk, name, about.get(name, "")) for name in ACTIONS},
    }


@pytest.fixture
def order() -> Order:
    """With fulfillments and returns, one of which is still to be received."""
    made = example_order(UserFactory(is_superuser=True)).order
    creation.request(actor=STAFF, order_id=made.pk, items=wanted(made, 1))
    made.refresh_from_db()
    return made


def test_each_role_opens_what_its_work_needs_and_nothing_else(order: Order) -> None:
    opened = {}
    for role in ROLES:
        client, _ = desk(role)
        # A form that the order's state does not allow leads back to the order; without permission it is refused.
        statuses = {name: client.get(address).status_code for name, address in addresses(order).items()}
        assert set(statuses.values()) <= {200, 302, 403}, (role, statuses)
        opened[role] = {name for name, status in statuses.items() if status != 403}
    assert opened == {role: MAY.get(role, set()) for role in ROLES}


def test_what_does_not_open_takes_no_form_either(order: Order) -> None:
    for role in ("Customer care", "Warehouse", "Payments", "Order exports", "Catalogue"):
        client, _ = desk(role)
        for name, address in addresses(order).items():
            if name in ACTIONS and name not in MAY.get(role, ()):
                assert client.post(address, {}).status_code == 403, (role, name)


def test_a_superuser_opens_everything(order: Order) -> None:
    client, _ = desk()
    statuses = {name: client.get(address).status_code for name, address in addresses(order).items()}
    assert set(statuses.values()) == {200, 302}
