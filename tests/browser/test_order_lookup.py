"""The page on which a guest sees an order, in a browser: by a click, with its style, and with nothing refused."""

import pytest
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from kit.messages.mails.sending import send_due
from kit.messages.mails.tokens import mail_token
from orders.lookups.requesting import request_lookup
from orders.models import OrderLookup
from tests.browser.chromium import Chromium
from tests.factories.carts import shopper
from tests.orders.placed import placed

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_click_shows_the_order_once(chromium: Chromium, live_server: LiveServer, settings: Settings) -> None:
    settings.PUBLIC_URL = live_server.url
    made = placed()
    request_lookup(actor=shopper(), display_id=str(made.display_id), email=str(made.email), client="")
    send_due()
    link = f"{live_server.url}/orders/lookup/{mail_token('order_lookup', OrderLookup.objects.get().pk, 1)}"
    press = "document.querySelector('button').click()"
    with chromium.page() as page:
        page.switch_off_scripts()
        page.open(link)
        assert "This link shows your order once." in page.text
        assert page.run("getComputedStyle(document.querySelector('main')).maxWidth") == "640px"
        page.follow(press)
        assert f"Order #{made.display_id}" in page.text
        assert "g•••@example.com" in page.text
        page.open(link)
        page.follow(press)
        assert "This link is over" in page.text
