"""The page on which a guest sees an order, in a browser: by a click, with its style, and with nothing refused."""

import pytest
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from kit.messages.mails.sending import send_due
from kit.messages.mails.tokens import mail_token
from orders.access.lookups.requesting import request_lookup
from orders.fulfillments.labels import NewLabel
from orders.models import Order, OrderLookup
from tests.browser.axe import violations
from tests.browser.chromium import Chromium
from tests.browser.overflow import overflow
from tests.factories.carts import shopper
from tests.orders.fulfillments.shop import pack
from tests.orders.fulfillments.test_verbs import ship
from tests.orders.placed import placed

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


PRESS = "document.querySelector('button').click()"
SIZES = {"desk": (1280, 800), "phone": (390, 844)}


def link_to(order: Order, live_server: LiveServer, settings: Settings) -> str:
    """What the email leads to that a guest has asked for."""
    settings.PUBLIC_URL = live_server.url
    request_lookup(actor=shopper(), display_id=str(order.display_id), email=str(order.email), client="")
    send_due()
    return f"{live_server.url}/orders/lookup/{mail_token('order_lookup', OrderLookup.objects.get().pk, 1)}"


def test_a_click_shows_the_order_once(chromium: Chromium, live_server: LiveServer, settings: Settings) -> None:
    made = placed()
    link = link_to(made, live_server, settings)
    with chromium.page() as page:
        page.switch_off_scripts()
        page.open(link)
        assert "This link shows your order once." in page.text
        assert page.run("getComputedStyle(document.querySelector('main')).maxWidth") == "640px"
        page.follow(PRESS)
        assert f"Order #{made.display_id}" in page.text
        assert "g•••@example.com" in page.text
        page.open(link)
        page.follow(PRESS)
        assert "This link is over" in page.text


@pytest.mark.once
@pytest.mark.parametrize("size", SIZES)
def test_people_with_screen_readers_keyboards_and_weak_eyes_can_use_it(
    chromium: Chromium, live_server: LiveServer, settings: Settings, size: str
) -> None:
    made = placed()
    ship(pack(made, 1), NewLabel("JJ12", "https://track.example/JJ12", ""))
    link, seen = link_to(made, live_server, settings), []
    with chromium.page() as page:
        page.resize(*SIZES[size])
        for reach in (lambda: page.open(link), lambda: page.follow(PRESS), lambda: page.open(link)):
            reach()
            seen.append(page.run("document.querySelector('h1').innerText"))
            assert violations(page) == []
            assert overflow(page, SIZES[size][0]) == []
        page.follow(PRESS)
        assert violations(page) == []
        seen.append(page.run("document.querySelector('h1').innerText"))
    assert seen == ["Your order", f"Order #{made.display_id}", "Your order", "This link is over"]
