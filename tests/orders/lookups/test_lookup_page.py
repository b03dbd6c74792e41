"""The shop's own page on which a guest sees an order, as a browser without scripts and cookies asks for it."""

import re
from io import StringIO

import pytest
from django.core import mail
from django.test import Client
from pytest_django import Settings

from kit.messages.mails.sending import send_due
from orders.models import Order, OrderLookup
from tests.contract.callers import Caller
from tests.factories.shop import SalesChannelFactory
from tests.orders.lookups.asking import ask, browser, page, token_for
from tests.orders.placed import placed

pytestmark = pytest.mark.django_db

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow",
    "X-Frame-Options": "DENY",
}
OVER, BUTTON = "<h1>This link is over</h1>", '<button type="submit">Show my order</button>'


def test_opening_the_link_uses_nothing_up_and_the_button_shows_the_order_once(guest: Caller) -> None:
    made = placed()
    token = token_for(guest, made.display_id)
    for _ in range(3):  # mail scanners
        for method in ("get", "head"):
            assert getattr(Client(), method)(page(token)).status_code == 200
    assert OrderLookup.objects.get().used_at is None
    person = browser()
    opened = person.get(page(token))
    assert BUTTON in opened.content.decode()
    assert str(made.display_id) not in re.sub(r"<[^>]*>", "", opened.content.decode())
    shown = person.post(page(token))
    html = shown.content.decode()
    assert shown.status_code == 200
    assert f"<h1>Order #{made.display_id}</h1>" in html
    assert "g•••@example.com" in html
    assert re.findall(r'<td class="amount">([^<]*)</td>', html) == ["$10.00", "$10.00", "$10.00"]
    assert "<dt>Payment</dt><dd>Captured</dd>" in html
    assert re.findall(r"\w+_[0-9A-HJKMNP-TV-Z]{26}", html) == []
    assert made.pk not in html
    again = person.post(page(token))
    assert (again.status_code, OVER in again.content.decode()) == (404, True)
    assert not person.cookies
    for answer in (opened, shown, again):
        policy = answer["Content-Security-Policy"]
        assert sorted(policy.split("; ")) == sorted(HEADERS["Content-Security-Policy"].split("; "))
        assert {name: answer[name] for name in HEADERS if name != "Content-Security-Policy"} == {
            name: value for name, value in HEADERS.items() if name != "Content-Security-Policy"
        }
        assert "no-store" in answer["Cache-Control"]
        assert '<meta name="robots" content="noindex, nofollow">' in answer.content.decode()
        assert "<script" not in answer.content.decode()


def test_the_page_belongs_to_no_channel(guest: Caller) -> None:
    made = placed()
    token = token_for(guest, made.display_id)
    assert browser().post(page(token)).status_code == 200
    other = token_for(guest, made.display_id)
    Order.objects.update(sales_channel=SalesChannelFactory())
    assert browser().post(page(other)).status_code == 404


def test_other_methods_and_unknown_tokens() -> None:
    assert browser().put(page("x")).status_code == 405
    answer = browser().post(page("x" * 43))
    assert (answer.status_code, OVER in answer.content.decode()) == (404, True)


def test_many_wrong_tokens_are_refused_and_a_valid_link_stays(settings: Settings, guest: Caller) -> None:
    token = token_for(guest, placed().display_id)
    settings.THROTTLES = {**settings.THROTTLES, "client_flood": (2, 10**9)}
    codes = [browser().post(page(f"wrong{number}")).status_code for number in range(3)]
    assert codes == [404, 404, 429]
    refused = browser().post(page(token))
    assert (refused.status_code, "Please try again later" in refused.content.decode()) == (429, True)
    assert int(refused["Retry-After"]) > 0
    settings.THROTTLES = {**settings.THROTTLES, "client_flood": (100, 10**9)}
    assert browser().post(page(token)).status_code == 200


@pytest.mark.parametrize(
    ("setting", "public", "link"),
    [
        ("", "https://api.shop.example", "https://api.shop.example/orders/lookup/{token}"),
        ("/{country_code}/find/{token}", "", "https://www.shop.example/us/find/{token}"),
        ("https://find.example/?t={token}", "", "https://find.example/?t={token}"),
        ("", "", "{token}"),
    ],
)
def test_where_the_email_leads(setting: str, public: str, link: str, settings: Settings, guest: Caller) -> None:
    settings.ORDER_LOOKUP_PAGE, settings.PUBLIC_URL = setting, public
    settings.STOREFRONT_URL = "https://www.shop.example"
    ask(guest, placed().display_id)
    send_due()
    (letter,) = mail.outbox
    pattern = re.escape(f"\n  {link}\n").replace(re.escape("{token}"), r"[\w-]{43}")
    assert re.search(pattern, str(letter.body)), letter.body


def test_the_log_has_no_token(guest: Caller, capfd: pytest.CaptureFixture[str]) -> None:
    token = token_for(guest, placed().display_id)
    for path in (f"/store/orders/lookup/{token}", page(token)):
        guest.post(path)
    written = capfd.readouterr()
    lines = [line for line in StringIO(written.err + written.out) if "lookup/" in line]
    assert lines
    assert not any(token in line for line in lines)
