"""The form that edits a placed order: few clicks, on a desk and on a phone."""

from pathlib import Path

import pytest
from django.contrib.admin.utils import quote
from django.urls import reverse
from pytest_django.live_server_helper import LiveServer

from orders.admin.actions import action_url
from orders.changes import items, lifecycle
from tests.browser.axe import violations
from tests.browser.chromium import Page
from tests.browser.day.person import Person
from tests.orders.changes.shop import goods, line, order_a, outcome
from tests.orders.fulfillments.shop import STAFF

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]
SIZES = [(1280, 900), (390, 844)]
MOST_CLICKS = 6


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_one_unit_less_and_another_item(
    page: Page, live_server: LiveServer, tmp_path: Path, width: int, height: int
) -> None:
    order, scarf = order_a(), goods("scarf", 15)
    staff = Person(page, live_server.url, None)
    page.resize(width, height)
    page.open(live_server.url + reverse("admin:orders_order_change", args=[quote(order.pk)]))
    staff.choose("Edit order")
    page.shoot(tmp_path / f"edit-{width}.png", width=width, height=height)
    staff.enter(f"quantity_{line(order, 'mug').pk}", "1")
    staff.pick("variant_1", f"{scarf.product} / {scarf.title}")
    said = staff.submit()
    assert "Total with tax: $60.00 → $66.00." in said
    assert "$6.00 is then due." in said
    assert outcome(order)[0] == "60.00"
    page.shoot(tmp_path / f"preview-{width}.png", width=width, height=height)
    assert violations(page) == []
    assert page.run("document.documentElement.scrollWidth <= window.innerWidth")
    assert "Edited: the total was $60.00, and is $66.00." in staff.submit()
    page.shoot(tmp_path / f"edited-{width}.png", width=width, height=height)
    assert outcome(order)[:2] == ("66.00", "6.00")
    assert staff.effort.clicks <= MOST_CLICKS
    assert page.complaints == []


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_an_edit_that_a_program_has_begun(
    page: Page, live_server: LiveServer, tmp_path: Path, width: int, height: int
) -> None:
    order = order_a()
    change_id = lifecycle.begin(actor=STAFF, order_id=order.pk, description="Wants one mug only")
    items.change_line(actor=STAFF, order_id=order.pk, line_id=line(order, "mug").pk, quantity=1)
    page.resize(width, height)
    page.open(live_server.url + action_url(order.pk, "confirm-edit", change_id))
    page.shoot(tmp_path / f"open-{width}.png", width=width, height=height)
    assert "Total with tax: $60.00 → $48.00." in page.text
    staff = Person(page, live_server.url, None)
    page.resize(width, height)
    page.open(live_server.url + reverse("admin:orders_order_change", args=[quote(order.pk)]))
    staff.choose("Confirm edit")
    assert "Edited: the total was $60.00, and is $48.00." in staff.submit()
    assert (outcome(order)[0], staff.effort.clicks) == ("48.00", 2)
