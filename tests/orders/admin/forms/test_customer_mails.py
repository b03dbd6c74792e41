"""Each form about which the customer gets an email says so, and has a switch for it."""

from typing import Any

import pytest
from django.core import mail
from django.urls import reverse

from kit.messages.mails.models import Mail
from kit.messages.mails.sending import send_due
from kit.values import email_address
from orders.models import GrantedRefund, Order, Return
from payments.models import Payment
from tests.factories.orders import return_reason
from tests.kit.admin.forms import sent
from tests.orders.admin.forms.desk import act, desk, filled, page, send
from tests.orders.admin.forms.test_money import reason
from tests.orders.fulfillments.shop import lines, pack
from tests.orders.managing.shop import work
from tests.orders.returns.shop import delivered, paid, receive, request

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def without_mail(form: dict[str, list[str]]) -> dict[str, list[str]]:
    """As a browser sends it once the box, which was checked, is not."""
    assert form["notify"] == ["on"]
    return {name: value for name, value in form.items() if name != "notify"}


def letters() -> list[str]:
    """The subjects of what is sent from now on."""
    Mail.objects.exclude(kind__in=KINDS).delete()
    mail.outbox.clear()
    send_due()
    return [letter.subject for letter in mail.outbox]


KINDS = ("order_shipped", "order_canceled", "order_refunded", "return_requested", "return_received")


@pytest.mark.parametrize("is_mailed", [True, False])
class TestASwitch:
    def submit(self, order: Order, name: str, about: str = "", *, is_mailed: bool, **values: Any) -> list[str]:
        client, _ = desk()
        assert "The customer gets an email" in page(client, order, name, about)
        Mail.objects.all().delete()
        form = filled(client, order, name, about, **values)
        send(client, order, name, about, form if is_mailed else without_mail(form))
        work()
        return letters()

    def test_of_a_shipment(self, is_mailed: bool) -> None:
        parcel = pack(paid(), 5)
        sent_now = self.submit(parcel.order, "ship", parcel.pk, is_mailed=is_mailed)
        assert len(sent_now) == is_mailed

    def test_of_a_cancellation_and_its_refunds(self, is_mailed: bool) -> None:
        sent_now = self.submit(paid(), "cancel", is_mailed=is_mailed)
        assert len(sent_now) == (2 if is_mailed else 0)
        assert GrantedRefund.objects.get().no_notification is not is_mailed

    def test_of_a_refund(self, is_mailed: bool) -> None:
        order = delivered()
        receive(request(order, 2), 2)
        sent_now = self.submit(order, "refund", is_mailed=is_mailed, refund_reason_id=reason().pk)
        assert len(sent_now) == is_mailed

    def test_of_a_request_of_a_return_and_of_its_receipt(self, is_mailed: bool) -> None:
        order = delivered()
        (line,) = lines(order)
        given = {f"units_{line.pk}": "2", "reason": return_reason("small", "Too small").pk}
        assert len(self.submit(order, "request-return", is_mailed=is_mailed, **given)) == is_mailed
        text = page(desk()[0], order, "receive-return", Return.objects.get().pk)
        assert ("The customer gets an email" in text) is is_mailed
        assert ("The customer gets no email" in text) is not is_mailed

    def test_of_a_receipt(self, is_mailed: bool) -> None:
        returned = request(delivered(), 2)
        assert len(self.submit(returned.order, "receive-return", returned.pk, is_mailed=is_mailed)) == is_mailed

    def test_of_a_refund_on_the_payment_screens(self, is_mailed: bool) -> None:
        order, (client, _) = paid(), desk()
        payment = Payment.objects.get(collection__order_id=order.pk)
        address = reverse("admin:payments_payment_refund", args=[payment.pk])
        Mail.objects.all().delete()
        form = sent(client, address, amount="5", refund_reason=reason().pk)
        assert client.post(address, form if is_mailed else without_mail(form)).status_code == 302
        assert len(letters()) == is_mailed


def test_an_order_without_emails_has_no_switch() -> None:
    order = paid()
    Order.objects.update(no_notification=True)
    client, _ = desk()
    assert "The customer gets an email" not in page(client, order, "cancel")
    Mail.objects.all().delete()
    act(client, order, "cancel")
    assert letters() == []


def test_an_address_with_markup_is_shown_as_text() -> None:
    """Shoppers may quote any signs before the @."""
    order = paid()
    Order.objects.update(email=email_address.checked('"<p/x-init=alert(1)>"@example.com'))
    for name in ("refund", "cancel"):
        assert 'At "<p/x-init=alert(1)>"@example.com' in page(desk()[0], order, name)  # without tags
