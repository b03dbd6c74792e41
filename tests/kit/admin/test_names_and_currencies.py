"""On every page of the admin site, rows have names in place of ids, and amounts their currencies."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from django.contrib.admin.utils import unquote
from django.urls import resolve

from orders.admin.actions import ACTIONS, action_url
from orders.changes import lifecycle
from orders.models import Order
from tests.factories.invoices import document
from tests.kit.admin.pages import action_pages, add_pages, list_pages, other_pages, row_pages
from tests.kit.admin.shop import build_shop
from tests.kit.admin.visits import superuser
from tests.orders.admin.shop import example_order
from tests.orders.admin.test_role_matrix import addresses
from tests.orders.fulfillments.shop import STAFF

pytestmark = [pytest.mark.every(3), pytest.mark.once, pytest.mark.django_db]

ID = re.compile(r"\b[a-z]{2,16}(?:_[a-z]+)?_[0-9A-Za-z]{20,}\b")
AMOUNT = re.compile(r"(?<![\d.,$£¥])\d[\d,]*\.\d\d(?![\d.])(?! (?:€|[A-Z]{3}\b|net$))")
CODE = re.compile(r"^(?:at|ca|de|fr|gb|ie|jp|nl|us)$|(?<![\w-])(?:usd|eur|gbp|jpy|xts|xau|xxx)(?![\w-])|\| Can ")
"""A country or currency by its code alone, an amount with it, or a permission as Django calls it."""
EXAMPLE = "12.50"
"""How numbers of an export look."""
INLINE = {"a", "span", "b", "strong", "em", "i", "small", "wbr"}
UNSEEN = {"script", "style", "template"}
MEANT_TO_BE_COPIED = {
    "outbox_event_changelist": "by the id of an event, receivers of webhooks recognize it",
    "outbox_event_change": "the id of the event, and the data that programs receive",
    "webhooks_delivery_change": "the id of its event, by which the receiver recognizes it",
    "giftcards_transactiongroup_change": "the code by which a source of credit is counted once",
    "giftcards_transaction_change": "the id that its recorder gave, below what the entry is for",
    "admin_logentry_change": "the row may be gone, and have had a name that others have, too",
}
"""Pages that show ids besides that of their row, and why."""


class Text(HTMLParser):
    """What a page says: a line for each element that stands by itself. Values of inputs are no text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.said, self._unseen = [""], 0
        self.feed(page)

    @property
    def lines(self) -> list[str]:
        return [" ".join(line.split()) for line in self.said if line.strip()]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._begin(tag, 1)

    def handle_endtag(self, tag: str) -> None:
        self._begin(tag, -1)

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.said[-1] += data

    def _begin(self, tag: str, depth: int) -> None:
        if tag in UNSEEN:
            self._unseen += depth
        if tag not in INLINE:
            self.said.append("")


def pages() -> Iterator[str]:
    """Every page of the site: an order's with those of its forms and prints."""
    yield from (*list_pages(), *add_pages(), *row_pages("change", "history", "delete"), *action_pages(), *other_pages())
    order = Order.objects.order_by("pk")[0]
    yield from addresses(order).values()
    yield from (action_url(order.pk, name, "") for name in ACTIONS)


def ids_shown(address: str, lines: list[str]) -> list[str]:
    """Lines that show an id. The page of a row may show the row's own, by itself."""
    found = resolve(address)
    own = unquote(str(found.kwargs.get("object_id", "")))
    if found.url_name in MEANT_TO_BE_COPIED:
        return []
    return [line for line in lines if ID.search(line) and not (line == own and found.url_name.endswith("_change"))]


@pytest.fixture(scope="module")
def shown(make_once: Any) -> dict[str, list[str]]:
    """What each page says."""

    def visit() -> dict[str, list[str]]:
        client = superuser()
        shown = example_order(client.user).order
        lifecycle.begin(actor=STAFF, order_id=shown.pk)
        build_shop(client.user)
        document(shown)  # now, since shop files are loaded only where documents sum to what their orders are worth
        said = {}
        for address in pages():
            answer = client.get(address)
            if answer.status_code == 200 and answer["Content-Type"].startswith("text/html"):
                said[address] = Text(answer.content.decode()).lines
        return said

    found: dict[str, list[str]] = make_once(visit)
    return found


def test_names_stand_in_place_of_ids(shown: dict[str, list[str]]) -> None:
    assert len(shown) > 150
    found = {address: ids_shown(address, lines) for address, lines in shown.items()}
    assert {address: lines for address, lines in found.items() if lines} == {}


def test_pages_that_show_ids_still_do(shown: dict[str, list[str]]) -> None:
    showing = {resolve(address).url_name for address, lines in shown.items() if any(map(ID.search, lines))}
    assert set(MEANT_TO_BE_COPIED) <= showing


def test_amounts_have_their_currencies(shown: dict[str, list[str]]) -> None:
    found = {
        address: [line for line in lines if AMOUNT.search(line) and line != EXAMPLE] for address, lines in shown.items()
    }
    assert {address: lines for address, lines in found.items() if lines} == {}
    assert sum("$" in line for lines in shown.values() for line in lines) > 100


def test_countries_currencies_and_permissions_have_names(shown: dict[str, list[str]]) -> None:
    found = {address: [line for line in lines if CODE.search(line)] for address, lines in shown.items()}
    assert {resolve(address).url_name: lines for address, lines in found.items() if lines} == {}
    assert any("Catalogue: Add product" in line for lines in shown.values() for line in lines)
