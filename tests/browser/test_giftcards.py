"""The screens of gift cards and store credit in a real browser."""

from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from giftcards.cards.redemption import redeem
from giftcards.ledger.adjustment import adjust
from giftcards.models import GiftCard
from kit.domain.actor import SYSTEM
from kit.values.timestamps import now
from tests.browser.chromium import Page
from tests.browser.test_admin import pick
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, redeemer, store_credit
from tests.factories.shop import RegionFactory
from tests.giftcards.books import balance

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
GIFT_CARDS, ACCOUNTS = "/admin/giftcards/giftcard/", "/admin/giftcards/storecreditaccount/"


def test_the_screens_load_without_a_complaint_and_are_no_wider_than_the_window(
    page: Page, live_server: LiveServer, tmp_path: Path
) -> None:
    ann = CustomerFactory(email="ann@example.com")
    card = gift_card(50, customer_id=ann.pk, expires_at=now() + timedelta(days=1))
    redeem(actor=redeemer(ann), id_or_code=gift_card(30).code)
    account = store_credit(ann, 1_250)
    adjust(actor=SYSTEM, customer_id=ann.pk, currency_code="usd", amount=Decimal(-20), reason="counted twice")
    for address in (
        GIFT_CARDS,
        f"{GIFT_CARDS}add/",
        f"{GIFT_CARDS}{card.pk}/change/",
        f"{GIFT_CARDS}{card.pk}/cancel/",
        ACCOUNTS,
        f"{ACCOUNTS}give/",
        f"{ACCOUNTS}outstanding/",
        f"{ACCOUNTS}{account.pk}/change/",
        f"{ACCOUNTS}{account.pk}/adjust/",
        "/admin/giftcards/transactiongroup/",
        "/admin/giftcards/transaction/",
        f"/admin/customers/customer/{ann.pk}/change/",
    ):
        page.open(f"{live_server.url}{address}")
        page.shoot(tmp_path / "page.png")
        assert page.run("document.documentElement.scrollWidth <= window.innerWidth"), address
    assert page.complaints == []
    assert {origin for origin in page.origins if not origin.startswith("data:")} == {live_server.url}


def test_the_codes_of_issued_cards_are_shown_once(page: Page, live_server: LiveServer) -> None:
    RegionFactory()
    page.open(f"{live_server.url}{GIFT_CARDS}add/")
    page.fill(value="50", count="2")
    page.run("document.querySelector('[name=currency]').value = 'usd'")
    page.follow("document.querySelector('[name=_save]').click()")
    assert "Issue 2 cards of $50.00, $100.00 together for anyone with the code?" in page.text
    page.follow("document.querySelector('[name=value]').form.querySelector('[type=submit]').click()")
    codes = str(page.run("document.getElementById('codes').innerText"))
    made = list(GiftCard.objects.order_by("pk"))
    assert [card.code for card in made] == [code for code in codes.split() if "-" in code]
    page.run("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    page.run("document.querySelector('#codes + .copy-button').click()")
    page.until("document.querySelector('#codes + .copy-button').innerText == 'Copied'")
    assert page.run("window.copied") == codes
    page.follow("[...document.querySelectorAll('a')].find(link => link.innerText == 'Done').click()")
    assert [card.code for card in made if card.code in page.run("document.documentElement.outerHTML")] == []
    assert page.complaints == []


def test_store_credit_is_given_to_a_picked_customer(page: Page, live_server: LiveServer) -> None:
    RegionFactory()
    ann = CustomerFactory(email="ann@example.com")
    page.open(f"{live_server.url}{ACCOUNTS}give/")
    pick(page, "ann@", "ann@example.com")
    page.fill(currency="usd", amount="12.50", reason="sorry")
    for label in ("Book", "Give $12.50"):
        page.follow(f"[...document.querySelectorAll('button')].find(button => button.innerText == '{label}').click()")
    assert "Booked: $12.50." in page.text
    assert balance(ann) == Decimal("12.50")
    assert page.complaints == []
