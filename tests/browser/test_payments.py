"""The screens of payments in a real browser."""

from decimal import Decimal
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from kit.domain.actor import SYSTEM
from payments.models import Capture
from payments.movements.refunding import refund
from tests.browser.chromium import Page
from tests.factories import payments as make
from tests.payments.scripted import Script, provider

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
__all__ = ["provider"]
COLLECTIONS, PAYMENTS, SESSIONS = (
    f"/admin/payments/{name}/" for name in ("paymentcollection", "payment", "paymentsession")
)
CONFIRM = "[...document.querySelectorAll('button')].find(button => button.innerText == '{}').click()"


def test_the_screens_load_without_a_complaint_and_are_no_wider_than_the_window(
    page: Page, live_server: LiveServer, tmp_path: Path, provider: Script
) -> None:
    payment = make.captured_payment(1_250, captured=1_000)
    reason = make.refund_reason()
    refund(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(20), refund_reason_id=reason.pk, note="two cups broken")
    session = make.session(make.collection(make.payable_cart(5)))
    for address in (
        COLLECTIONS,
        f"{COLLECTIONS}{payment.collection_id}/change/",
        f"{COLLECTIONS}{session.collection_id}/change/",
        f"{COLLECTIONS}{session.collection_id}/cancel/",
        PAYMENTS,
        f"{PAYMENTS}{payment.pk}/change/",
        f"{PAYMENTS}{payment.pk}/capture/",
        f"{PAYMENTS}{payment.pk}/refund/",
        SESSIONS,
        f"{SESSIONS}{session.pk}/change/",
        f"{SESSIONS}{session.pk}/authorize/",
        "/admin/payments/refundreason/",
        f"/admin/payments/refundreason/{reason.pk}/change/",
        "/admin/",
    ):
        page.open(f"{live_server.url}{address}")
        page.shoot(tmp_path / f"{address.strip('/').replace('/', '-')}.png")
        assert page.run("document.documentElement.scrollWidth <= window.innerWidth"), address
    assert page.complaints == []
    assert {origin for origin in page.origins if not origin.startswith("data:")} == {live_server.url}


def test_money_is_taken_after_a_refusal_that_keeps_what_was_typed(
    page: Page, live_server: LiveServer, tmp_path: Path, provider: Script
) -> None:
    payment = make.authorized_payment(50)
    provider.declines("The card has expired")
    page.open(f"{live_server.url}{COLLECTIONS}{payment.collection_id}/change/")
    page.follow("[...document.querySelectorAll('a')].find(link => link.innerText == 'Capture').click()")
    page.fill(amount="12.50")
    page.follow(CONFIRM.format("Capture"))
    page.follow(CONFIRM.format("Capture $12.50"))
    page.shoot(tmp_path / "refusal.png")
    assert "The payment provider refused: The card has expired" in page.text
    assert page.run("document.querySelector('[name=amount]').value") == "12.50"
    provider.is_well()
    page.follow(CONFIRM.format("Capture"))
    page.shoot(tmp_path / "captured.png", height=1_400)
    assert "Captured $12.50." in page.text
    assert Capture.objects.get().amount == Decimal("12.50")
    assert page.complaints == []
