"""Paying an order by a link with Stripe's own form, as far as the shop has a part in it."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from giftcards.verification.verification import discrepancies
from payments.models import PaymentSession
from shop.models import PaymentProvider, Region
from tests.orders.payment.owing import asked, owing
from tests.orders.payment.test_payment_links import browser, link_to, pay, shown
from tests.payments.providers import FAKE, switched_on
from tests.payments.stripe.conftest import PROVIDER_ID, fake, stripe_process
from tests.payments.stripe.fake import Fake

__all__ = ["fake", "stripe_process"]
pytestmark = [pytest.mark.once, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def providers(transactional_db: None, settings: Any, fake: Fake) -> Iterator[None]:
    settings.PUBLIC_URL, settings.STRIPE_PUBLISHABLE_KEY = "https://api.shop.example", "pk_test_1"
    with switched_on(settings):
        yield


def page_of() -> tuple[Any, str]:
    """An order of a region that offers Stripe beside another provider, and its link."""
    order = owing()
    PaymentProvider.objects.filter(pk=PROVIDER_ID).update(is_enabled=True)
    Region.objects.get(pk=order.region_id).payment_providers.add(PROVIDER_ID)
    return order, link_to(order)


def test_its_form_is_shown_and_what_it_took_is_found_out(fake: Fake) -> None:
    order, page = page_of()
    assert pay(page, provider_id=PROVIDER_ID).status_code == 302
    session = PaymentSession.objects.get(provider_id=PROVIDER_ID)
    answer = browser().get(page)
    html = answer.content.decode()
    assert 'data-publishable-key="pk_test_1"' in html
    assert f'data-client-secret="{session.data["client_secret"]}"' in html
    scripts = re.findall(r'<script src="([^"]+)"></script>', html)
    assert (scripts[0], len(scripts)) == ("https://js.stripe.com/v3/", 2)
    assert re.fullmatch(r"/static/payments/stripe_form(\.\w+)?\.js", scripts[1])
    policy = answer["Content-Security-Policy"]
    stripe = "https://js.stripe.com https://*.js.stripe.com"
    for part in (
        f"script-src 'self' {stripe}",
        f"frame-src {stripe} https://hooks.stripe.com",
        "connect-src https://api.stripe.com",
        "default-src 'none'",
    ):
        assert part in policy.split("; ")
    assert re.findall(r'name="provider_id" value="(\w+)"', html) == [FAKE]

    assert browser().get(f"{page}?result&redirect_status=failed")["Location"] == page
    assert "data-client-secret" in shown(page)
    fake.pay(session.data["id"])
    assert browser().get(f"{page}?result&redirect_status=succeeded")["Location"] == page
    assert "Nothing is left to pay" in shown(page)
    assert asked(order) == [(45, "completed"), (18, "authorized")]
    assert browser().get(f"{page}?result").status_code == 302
    assert list(discrepancies()) == []


def test_without_the_publishable_key_it_is_not_offered(settings: Any) -> None:
    _, page = page_of()
    assert PROVIDER_ID in shown(page)
    settings.STRIPE_PUBLISHABLE_KEY = ""
    assert PROVIDER_ID not in shown(page)
    assert pay(page, provider_id=PROVIDER_ID).status_code == 400
