"""The forms for what an order still owes: a payment link, and money that came outside of the shop."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from giftcards.verification.verification import discrepancies
from kit.messages.mails.models import Mail
from orders.admin.actions import action_url
from orders.models import Order, PaymentLink
from payments.models import Capture
from shop.models import Region
from tests.factories.payments import PROVIDER
from tests.orders.admin.forms.desk import act, desk, filled, history, page, refused, send, text_of
from tests.orders.managing.shop import statuses
from tests.orders.payment.owing import asked, owing
from tests.payments.providers import FakeProvider, switched_on

pytestmark = [pytest.mark.once, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def fake(transactional_db: None, settings: Any) -> Iterator[FakeProvider]:
    settings.PUBLIC_URL = "https://api.shop.example"
    with switched_on(settings) as made:
        yield made


def order_page(client: Any, order: Order) -> str:
    return text_of(client.get(f"/admin/orders/order/{order.pk}/change/"))


def test_a_link_is_emailed() -> None:
    client, user = desk()
    order = owing()
    assert "Due$18.00" in order_page(client, order)
    text = page(client, order, "send-payment-link")
    assert "Makes a link by which $18.00 can be paid, by Double test." in text
    assert f"At {order.email}, with the link. If not, the link is shown on the next page, once." in text
    form = filled(client, order, "send-payment-link")
    assert form["notify"] == ["on"]
    for _ in range(2):
        assert send(client, order, "send-payment-link", "", form) == "Payment link over $18.00 made and emailed."
    link = PaymentLink.objects.get()
    assert (link.is_mailed, link.created_by) == (True, user.pk)
    assert Mail.objects.filter(kind="payment_requested", about=link.pk).count() == 1
    assert history(order) == [(user.email, "Payment link over $18.00 made and emailed.")]
    order_page(client, order)  # with the message
    shown = order_page(client, order)
    assert shown.count("Payment link made and emailed") == 1
    assert "Payment link over" not in shown
    assert "Email “payment requested”" in shown


def test_a_link_is_shown_once() -> None:
    client, _ = desk()
    order = owing()
    form = filled(client, order, "send-payment-link", notify="")
    address = action_url(order.pk, "send-payment-link")
    response = client.post(address, form)
    assert response.status_code == 200
    [link] = re.findall(r"https://api\.shop\.example/pay/[\w-]{43}", text_of(response))
    assert client.get(link.removeprefix("https://api.shop.example")).status_code == 200
    again = client.post(address, form)
    assert (again.status_code, PaymentLink.objects.count()) == (302, 1)
    assert Mail.objects.filter(kind="payment_requested").count() == 0


def test_the_form_says_that_no_provider_asks_the_customer() -> None:
    client, _ = desk()
    order = owing()
    Region.objects.get(pk=order.region_id).payment_providers.set([PROVIDER])
    text = "No link can be sent: the order's region offers no payment provider that asks the customer."
    assert text in page(client, order, "send-payment-link")
    [error] = refused(client, order, "send-payment-link")
    assert error.startswith(text.removesuffix("."))


def test_money_that_came_outside_of_the_shop_is_recorded_once() -> None:
    client, user = desk()
    order = owing()
    text = page(client, order, "mark-as-paid")
    assert "Records that $18.00 has arrived, such as by bank transfer or in cash." in text
    form = filled(client, order, "mark-as-paid", note="Transfer 4711")
    for _ in range(2):
        assert send(client, order, "mark-as-paid", "", form) == "Marked $18.00 as paid."
    assert asked(order) == [(45, "completed"), (18, "completed")]
    assert statuses(order)[1] == "captured"
    assert Capture.objects.filter(payment__collection__cart=None).count() == 1
    assert history(order) == [(user.email, "Marked $18.00 as paid: Transfer 4711.")]
    assert client.get(action_url(order.pk, "mark-as-paid")).status_code == 302
    assert list(discrepancies()) == []


def test_what_is_authorized_is_to_capture_and_the_rest_is_due() -> None:
    client, _ = desk()
    order = owing(is_captured=False)
    text = order_page(client, order)
    assert "To capture$45.00" in text
    assert "Due$18.00" in text
    assert act(client, order, "mark-as-paid") == "Marked $18.00 as paid."
    assert "Due$" not in order_page(client, order)
