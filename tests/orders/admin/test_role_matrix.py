"""Each role of `setup_roles` at each screen and form of orders: what opens, and what is refused."""

from pathlib import Path
from typing import Any

import pytest
from django.contrib.admin.utils import quote

from commerce.operations.roles.roles import ROLES
from orders.admin.actions import ACTIONS, action_url
from orders.changes import lifecycle
from orders.exchanges import lifecycle as exchanges
from orders.models import Order
from orders.returns import creation
from orders.states import ChangeKind, ClaimType
from payments.models import Capture
from tests.factories import payments
from tests.factories.checkout import checked_out_cart
from tests.factories.invoices import document
from tests.factories.staff import UserFactory
from tests.kit.admin.visits import visitor
from tests.orders.admin.forms.desk import desk
from tests.orders.admin.shop import example_order
from tests.orders.fulfillments.shop import STAFF
from tests.orders.refunds.shop import payment_of
from tests.orders.reports.export.test_button import done_export, download, job_page
from tests.orders.returns.shop import wanted

pytestmark = [pytest.mark.once, pytest.mark.django_db]

LIST = "/admin/orders/order/"
READ = {"list", "order", "packing list", "packing list of a fulfillment", "delivery note"}
PARCELS = {"ship", "add-label", "deliver", "cancel-fulfillment"}
RETURNS = {"request-return", "receive-return", "cancel-return"}
KINDS = ("edit", "exchange", "claim")
EDITS = {*KINDS, *(f"{verb}-{kind}" for kind in KINDS for verb in ("confirm", "cancel"))}
INVOICES = {"write-invoice", "correct-invoice"}
MAY = {
    "Customer care": {
        *READ,
        *RETURNS,
        *("note", "change-details", "send-mail", "send-gift-card", "complete", "archive", "cancel", "pay-by-credit"),
        *INVOICES,
        *EDITS,
    },
    "Warehouse": {*READ, "pack", *PARCELS, *RETURNS, "note"},
    "Payments": {*READ, *INVOICES, "capture", "refund", "send-payment-link", "mark-as-paid", "note"},
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
        **{f"{verb}-{each.kind}": each.pk for each in order.changes.all() for verb in ("confirm", "cancel")},
        "capture": payment_of(order).pk,
        "correct-invoice": order.invoices.get().pk,
    }
    return {
        "list": LIST,
        "order": f"{page}/change/",
        "packing list": f"{page}/packing-list/",
        "packing list of a fulfillment": f"{page}/packing-list/{parcel}/",
        "delivery note": f"{page}/delivery-note/{parcel}/",
        "export": f"{LIST}export/",
        "erase": f"{page}/erase/",
        **{name: action_url(order.pk, name, about.get(name, "")) for name in ACTIONS},
    }


@pytest.fixture
def order() -> Order:
    """With fulfillments, a change of each kind, the edit open, and returns, one of which is still to be received."""
    made = example_order(UserFactory(is_superuser=True)).order
    creation.request(actor=STAFF, order_id=made.pk, items=wanted(made, 1))
    for kind, given in ((ChangeKind.EXCHANGE, {}), (ChangeKind.CLAIM, {"claim_type": ClaimType.REFUND})):
        change_id = exchanges.begin(actor=STAFF, order_id=made.pk, kind=kind, **given)
        exchanges.cancel_request(actor=STAFF, change_id=change_id)
    lifecycle.begin(actor=STAFF, order_id=made.pk)
    document(made)
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


def test_each_role_that_moves_money_at_the_screens_of_payments(order: Order) -> None:
    payment, open_session = payment_of(order), payments.session(payments.collection(checked_out_cart()))
    addresses = (
        f"payment/{payment.pk}/capture/",
        f"payment/{payment.pk}/refund/",
        f"paymentsession/{open_session.pk}/authorize/",
        f"paymentcollection/{open_session.collection_id}/cancel/",
    )
    for role in ROLES:
        client, _ = desk(role)
        opened = [address for address in addresses if client.get(f"/admin/payments/{address}").status_code == 200]
        assert opened == [address for address in addresses if role == "Payments"], role
        if role != "Payments":
            sent = [client.post(f"/admin/payments/{address}", {"post": "yes"}).status_code for address in addresses]
            assert sent == [403] * 4, role
    assert Capture.objects.filter(payment=payment).count() == 1
    open_session.refresh_from_db()
    assert open_session.status == "pending"


def test_each_role_at_its_own_export_and_at_that_of_another_user(tmp_path: Path, settings: Any) -> None:
    """Staff who have lost the permission still sees the job, but gets no file."""
    settings.EXPORT_DIR = str(tmp_path)
    another = done_export(visitor(is_superuser=True))
    for role in ROLES:
        client, user = desk(role)
        client.user = user
        own = done_export(client)
        assert [client.get(job_page(job)).status_code for job in (own, another)] == [200, 302], role
        statuses = [client.get(download(job)).status_code for job in (own, another)]
        assert statuses == [200 if role == "Order exports" else 404, 404], role


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
