"""The forms that act on an order, in a real browser: on a desk and on a phone, by keyboard and screen reader."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from kit.messages.mails.models import Mail
from kit.messages.mails.queueing import queue_mail
from kit.values.timestamps import now
from orders.admin.actions import ACTIONS, action_url
from orders.changes import lifecycle
from orders.exchanges import lifecycle as exchanges
from orders.fulfillments import shipping
from orders.managing import completion
from orders.models import Order
from orders.states import ChangeKind, ClaimType
from tests.browser.axe import violations
from tests.browser.chromium import Page
from tests.factories.carts import sold_variant
from tests.factories.customers import CustomerFactory
from tests.factories.inventory import StockLocationFactory, stock
from tests.factories.invoices import document
from tests.factories.orders import return_reason
from tests.orders.fulfillments.shop import STAFF, lines, pack
from tests.orders.managing.shop import staff
from tests.orders.payment.owing import owing_with_credit
from tests.orders.refunds.shop import payment_of, reason
from tests.orders.refunds.test_bought_cards import gift_order
from tests.orders.returns.shop import delivered, paid, request
from tests.payments.providers import switched_on

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]
DESK, PHONE = (1280, 900), (390, 844)


@pytest.fixture
def fake(live_server: LiveServer, settings: Any) -> Iterator[None]:
    """A provider by which links can be paid. Invoices are written by hand."""
    settings.PUBLIC_URL, settings.INVOICE_ON = live_server.url, ""
    with switched_on(settings):
        yield


def offered() -> Iterator[tuple[Order, str, str]]:
    """Each form, of an order in a state for it."""
    return_reason()
    reason()
    due, _ = owing_with_credit(10)
    yield from ((due, name, "") for name in ("send-payment-link", "pay-by-credit", "mark-as-paid"))
    ann = CustomerFactory(email="ann@example.com", has_account=True)
    split = sold_variant(10, in_stock=2)
    stock(split, 3, location=StockLocationFactory(), item=split.inventory_links.get().inventory_item)
    new = paid((split, 5), (sold_variant(20), 1), captured=False)
    yield from ((new, name, "") for name in ("edit", "pack", "cancel", "complete", "change-details", "note"))
    yield new, "write-invoice", ""
    yield new, "capture", payment_of(new).pk
    begun = lifecycle.begin(actor=STAFF, order_id=new.pk)
    yield from ((new, name, begun) for name in ("confirm-edit", "cancel-edit"))
    packed = paid(customer=ann)
    parcel = pack(packed, 5).pk
    yield from ((packed, name, parcel) for name in ("ship", "deliver", "cancel-fulfillment"))
    shipping.ship(actor=STAFF, fulfillment_id=parcel)
    yield packed, "add-label", parcel
    arrived = delivered(customer=ann)
    returned = request(arrived, 1).pk
    yield from ((arrived, name, "") for name in ("refund", "request-return", "exchange", "claim"))
    for kind, given in ((ChangeKind.EXCHANGE, {}), (ChangeKind.CLAIM, {"claim_type": ClaimType.REFUND})):
        begun = exchanges.begin(actor=STAFF, order_id=arrived.pk, kind=kind, **given)
        yield from ((arrived, f"{verb}-{kind}", begun) for verb in ("confirm", "cancel"))
        exchanges.cancel_request(actor=STAFF, change_id=begun)
    yield from ((arrived, name, returned) for name in ("receive-return", "cancel-return"))
    yield arrived, "correct-invoice", document(arrived).pk
    queue_mail("order_placed", about=arrived.pk)
    Mail.objects.update(sent_at=now(), next_try_at=None)
    yield arrived, "send-mail", ""
    yield gift_order(), "send-gift-card", ""
    completion.complete(actor=staff(), order_id=packed.pk, note="Enough")
    yield packed, "archive", ""


@pytest.mark.usefixtures("fake")
def test_every_form(page: Page, live_server: LiveServer, tmp_path: Path) -> None:
    found, seen = [], set()
    for order, name, about in offered():
        seen.add(name)
        page.open(f"{live_server.url}{action_url(order.pk, name, about)}")
        assert page.run("document.querySelector('[name=ticket]') !== null"), name
        for width, height in (DESK, PHONE):
            page.shoot(tmp_path / f"{name}-{width}.png", width=width, height=height)
            assert page.run("document.documentElement.scrollWidth <= window.innerWidth"), (name, width)
            found += [f"{name} {width} {fault}" for fault in violations(page)]
    assert found == []
    assert page.complaints == []
    assert seen == set(ACTIONS)


def test_a_refused_form_is_clear_and_keeps_what_was_entered(
    page: Page, live_server: LiveServer, tmp_path: Path
) -> None:
    order = paid()
    units = f"units_{lines(order)[0].pk}"
    page.open(f"{live_server.url}{action_url(order.pk, 'pack')}")
    page.run("document.querySelector('[name=ticket]').form.noValidate = true")
    page.fill(**{units: "9"})
    page.follow("document.querySelector('[name=ticket]').form.querySelector('[type=submit]').click()")
    assert "Only 5 are left to pack." in page.text
    assert page.run(f"document.querySelector('[name={units}]').value") == "9"
    for width, height in (DESK, PHONE):
        page.shoot(tmp_path / f"refused-{width}.png", width=width, height=height)
        assert violations(page) == []
