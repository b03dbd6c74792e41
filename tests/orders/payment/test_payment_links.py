"""Links by which customers pay what an order still owes, and the shop's own page for them."""

import re
from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from giftcards.verification.verification import discrepancies
from kit.messages.mails.sending import send_due
from kit.messages.mails.tokens import token_digest
from kit.messages.outbox.models import Event
from kit.values.timestamps import now
from orders.managing.payment_links import creation
from orders.models import Order, PaymentLink
from payments.models import PaymentSession
from payments.providers.base import Declined, ProviderReport
from payments.states import Act, SessionStatus
from shop.models import Region
from tests.factories.payments import PROVIDER
from tests.orders.managing.shop import refusal, staff, statuses, work
from tests.orders.payment.owing import asked, owing
from tests.payments.providers import FAKE, OTHER, FakeProvider, switched_on

pytestmark = pytest.mark.django_db(transaction=True)
POLICY = {
    "default-src 'none'",
    "style-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
}


@pytest.fixture(autouse=True)
def fake(transactional_db: None, settings: Any) -> Iterator[FakeProvider]:
    settings.PUBLIC_URL = "https://api.shop.example"
    with switched_on(settings) as made:
        yield made


def browser() -> Client:
    """One that is checked for CSRF as browsers are."""
    return Client(enforce_csrf_checks=True)


def link_to(order: Order) -> str:
    """The path of a link that is shown."""
    link_id = creation.create(actor=staff(), order_id=order.pk, no_notification=True)
    return address_of(link_id).removeprefix("https://api.shop.example")


def address_of(link_id: str) -> str:
    return str(creation.made(link_id)["url"])


def shown(page: str) -> str:
    answer = browser().get(page)
    assert answer.status_code == 200
    return answer.content.decode()


def pay(page: str, amount: str = "18.00", provider_id: str = FAKE) -> Any:
    return browser().post(page, {"amount": amount, "provider_id": provider_id})


def test_the_link_is_mailed_and_pays(fake: FakeProvider) -> None:
    order, actor = owing(), staff()
    link = PaymentLink.objects.get(pk=creation.create(actor=actor, order_id=order.pk))
    assert (link.is_mailed, link.created_by) == (True, actor.id)
    assert timedelta(days=29) < link.expires_at - now() <= timedelta(days=30)
    [event] = Event.objects.filter(name="order.payment_requested")
    assert event.data == {"id": order.pk, "payment_link_id": link.pk}
    mail.outbox.clear()
    send_due()
    letter = next(each for each in mail.outbox if each.subject.startswith("A payment"))
    assert letter.to == [order.email]
    assert f"$18.00 is left to pay for your order #{order.display_id}" in str(letter.body)
    [page] = re.findall(r"https://api.shop.example(/pay/[\w-]{43})\n", str(letter.body))
    token = page.removeprefix("/pay/")
    assert link.token_digest == token_digest(token)

    opened = browser().get(page)
    html = opened.content.decode()
    assert f"<h1>Order #{order.display_id}</h1>" in html
    assert "Left to pay:" in html
    assert '<p class="total">$18.00</p>' in html
    assert set(opened["Content-Security-Policy"].split("; ")) == POLICY
    assert (opened["Referrer-Policy"], opened["X-Robots-Tag"]) == ("no-referrer", "noindex, nofollow")
    assert "no-store" in opened["Cache-Control"]
    assert not opened.cookies
    assert "<script" not in html
    assert order.pk not in html
    assert str(order.email) not in html
    assert re.findall(r'name="provider_id" value="(\w+)"', html) == [FAKE]
    assert (asked(order), fake.asked.count(Act.START)) == ([(45, "completed")], 1)  # to look pays nothing

    [amount] = re.findall(r'name="amount" value="([^"]+)"', html)
    answer = pay(page, amount)
    assert (answer.status_code, answer["Location"]) == (302, page)
    assert "Nothing is left to pay" in shown(page)
    assert asked(order) == [(45, "completed"), (18, "authorized")]
    assert statuses(order)[1] == "partially_captured"
    assert pay(page).status_code == 302  # paid twice
    assert PaymentSession.objects.filter(collection__cart=None).count() == 1
    assert list(discrepancies()) == []


def test_it_is_never_paid_by_a_provider_that_agrees_to_everything() -> None:
    order = owing()
    page = link_to(order)
    region = Region.objects.get(pk=order.region_id)
    region.payment_providers.add(PROVIDER)
    assert pay(page, provider_id=PROVIDER).status_code == 400
    assert PROVIDER not in shown(page)
    region.payment_providers.set([PROVIDER])
    assert "cannot be paid here at the moment" in shown(page)
    kind, message = refusal(creation.create, actor=staff(), order_id=order.pk)
    assert kind == "not_allowed"
    assert message.startswith("No link can be sent: the order's region offers no")
    assert asked(order) == [(45, "completed")]


def test_a_provider_without_a_form_is_for_storefronts(fake: FakeProvider, settings: Any, monkeypatch: Any) -> None:
    order = owing()
    monkeypatch.setattr(FakeProvider, "payment_form", lambda *_: None)
    assert refusal(creation.create, actor=staff(), order_id=order.pk)[0] == "not_allowed"
    settings.PAYMENT_PAGE = "https://www.shop.example/{country_code}/pay?t={token}"
    link_id = creation.create(actor=staff(), order_id=order.pk)
    assert re.fullmatch(r"https://www\.shop\.example/[a-z]{2}/pay\?t=[\w-]{43}", address_of(link_id))


def test_the_amount_that_was_seen_is_paid() -> None:
    order = owing()
    page = link_to(order)
    for amount in ("17.99", "18.01", "0", "-18", "x", "NaN", "sNaN", "Infinity", ""):
        refused = pay(page, amount)
        assert refused.status_code == 400, amount
        assert '<p role="alert">The amount has changed. Please check it, and pay again.</p>' in refused.content.decode()
    assert asked(order) == [(45, "completed")]
    Order.objects.filter(pk=order.pk).update(allowance_total=3)  # 18 - 3
    assert pay(page).status_code == 400
    assert '<p class="total">$15.00</p>' in shown(page)
    assert pay(page, "15").status_code == 302
    assert asked(order) == [(45, "completed"), (15, "authorized")]


def test_what_the_provider_declines_is_said_and_can_be_tried_again(fake: FakeProvider) -> None:
    order = owing()
    page = link_to(order)
    fake.says(Act.AUTHORIZE, Declined("Insufficient funds"))
    refused = pay(page)
    assert refused.status_code == 400
    assert '<p role="alert">The payment provider refused: Insufficient funds</p>' in refused.content.decode()
    assert pay(page).status_code == 302
    assert asked(order)[1] == (18, "authorized")
    assert list(discrepancies()) == []


def test_an_announced_payment_is_waited_for(fake: FakeProvider) -> None:
    order = owing()
    page = link_to(order)
    fake.says(Act.AUTHORIZE, ProviderReport(SessionStatus.PENDING_AUTHORIZATION))
    assert pay(page).status_code == 302
    html = shown(page)
    assert "Your payment is being processed" in html
    assert "<button" not in html
    assert pay(page).status_code == 400
    assert PaymentSession.objects.filter(collection__cart=None).count() == 1


def test_a_provider_that_is_silent_is_asked_again_by_the_worker(fake: FakeProvider) -> None:
    order = owing()
    page = link_to(order)
    fake.loses_answers(Act.AUTHORIZE)
    assert pay(page).status_code == 503
    work()
    assert "Nothing is left to pay" in shown(page)
    assert asked(order)[1] == (18, "authorized")


def test_another_provider_replaces_the_session(fake: FakeProvider) -> None:
    order = owing()
    Region.objects.get(pk=order.region_id).payment_providers.add(OTHER)
    page = link_to(order)
    fake.says(Act.AUTHORIZE, ProviderReport(SessionStatus.REQUIRES_MORE))
    assert pay(page).status_code == 302
    assert pay(page, provider_id=OTHER).status_code == 302
    assert asked(order)[1] == (18, "authorized")
    work()
    assert list(discrepancies()) == []


@pytest.mark.parametrize(
    "over",
    [
        {"canceled_at": now()},
        {"deleted_at": now()},
        {"erased_at": now()},
    ],
)
def test_links_of_canceled_and_erased_orders_are_over(over: Any) -> None:
    order = owing()
    page = link_to(order)
    Order.objects.filter(pk=order.pk).update(**over)
    for answer in (browser().get(page), pay(page)):
        assert (answer.status_code, "This link is over" in answer.content.decode()) == (404, True)
    assert asked(order) == [(45, "completed")]


def test_links_expire_and_wrong_tokens_are_counted(settings: Any) -> None:
    order = owing()
    page = link_to(order)
    assert browser().put(page).status_code == 405
    PaymentLink.objects.update(expires_at=now())
    assert browser().get(page).status_code == 404
    settings.THROTTLES = {**settings.THROTTLES, "client_flood": (2, 10**9)}
    assert [browser().get(f"/pay/wrong{number}").status_code for number in range(3)] == [404, 404, 429]
    assert browser().get(link_to(order)).status_code == 429


def test_when_no_link_is_made(settings: Any) -> None:
    order = owing()
    create, given = creation.create, {"actor": staff(), "order_id": order.pk}
    Order.objects.filter(pk=order.pk).update(no_notification=True)
    assert refusal(create, **given)[1] == "Field 'no_notification' must be true: the order's customer gets no emails"
    settings.PUBLIC_URL = ""
    assert "neither PAYMENT_PAGE nor PUBLIC_URL is set" in refusal(create, **given, no_notification=True)[1]
    settings.PUBLIC_URL = "https://api.shop.example"
    assert refusal(create, actor=staff(), order_id="order_none")[0] == "not_found"
    page = link_to(order)
    pay(page)
    assert refusal(create, **given)[1] == "Nothing is outstanding of the order"
    Order.objects.filter(pk=order.pk).update(canceled_at=now())
    assert "has been canceled" in refusal(create, **given)[1]
    assert PaymentLink.objects.count() == 1


def test_no_email_is_sent_once_it_is_paid() -> None:
    order = owing()
    creation.create(actor=staff(), order_id=order.pk)
    assert pay(link_to(order), str(Decimal(18))).status_code == 302
    mail.outbox.clear()
    send_due()
    assert [each.subject for each in mail.outbox if each.subject.startswith("A payment")] == []
