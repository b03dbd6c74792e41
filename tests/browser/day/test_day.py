"""One day of a member of staff, by clicks from the overview: no task may take more than it does today.

It also takes the pictures of docs/staff.md: `make staff-pictures`. Each of its tasks is a section of that page, which
may name only what the task's screens show.
"""

import os
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from staff.models import User
from tests.browser.chromium import Page
from tests.browser.day import catalogue, configuring, promoting, selling
from tests.browser.day.person import Effort, Person
from tests.browser.day.shop import an_order, open_shop
from tests.docs.pages import DOCS, STAFF, section
from tests.factories.staff import UserFactory

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]

EXPECTED = {
    "Add a product": Effort(clicks=12, pages=1),
    "Change many prices": Effort(clicks=4, pages=1),
    "Start a sale": Effort(clicks=7, pages=1),
    "Add a promotion": Effort(clicks=3, pages=1),
    "Take something off a collection for a weekend": Effort(clicks=6, pages=1),
    "Limit a promotion to one use per customer": Effort(clicks=4, pages=1),
    "Ship free from an amount": Effort(clicks=4, pages=1),
    "Give one for two": Effort(clicks=5, pages=1),
    "Reward members": Effort(clicks=4, pages=1),
    "Add a region": Effort(clicks=10, pages=1),
    "Set tax rates for certain products": Effort(clicks=6, pages=1),
    "Add a service zone": Effort(clicks=11, pages=1),
    "Offer shipping": Effort(clicks=9, pages=1),
    "Add a customer": Effort(clicks=3, pages=1),
    "Issue a gift card": Effort(clicks=7, pages=1),
    "Pack and ship an order": Effort(clicks=10, pages=3),
    "Edit an order": Effort(clicks=6, pages=1),
    "Refund an order": Effort(clicks=8, pages=1),
    "Process a return": Effort(clicks=12, pages=4),
    "Exchange items": Effort(clicks=8, pages=1),
    "Settle a claim": Effort(clicks=9, pages=1),
    "Cancel an order": Effort(clicks=5, pages=1),
    "Invite a colleague": Effort(clicks=4, pages=1),
    "Change a colleague's roles": Effort(clicks=4, pages=1),
    "Undo a deletion": Effort(clicks=9, pages=2),
}
"""What each task takes. A lower number replaces the one here; a higher one must not."""


@pytest.fixture
def user() -> User:
    return UserFactory(is_superuser=True, email="ada@quayside.example", first_name="Ada", last_name="Quay")


@pytest.fixture
def staff(page: Page, live_server: LiveServer, settings: Settings, tmp_path: Path) -> Person:
    """The user at the demo shop."""
    settings.UPLOAD_DIR, settings.MEDIA_ROOT = str(tmp_path / "uploads"), str(tmp_path / "media")
    settings.PUBLIC_URL = live_server.url
    open_shop()
    return Person(page, live_server.url, DOCS / "images" if os.environ.get("WRITE_DOCS") else None)


def named(task: str) -> list[str]:
    """The buttons, fields and messages that the section of that task names."""
    return re.findall(r"\*\*(.+?)\*\*", section(STAFF, f"### {task}"))


def test_the_whole_day(staff: Person) -> None:
    order, regretted, changed = an_order(ASSAM_100=2, CUP_SAND=1), an_order(CUP_SAND=1), an_order(ASSAM_100=2)
    bob = UserFactory(email="bob@quayside.example", first_name="Bob")
    tasks: dict[str, Callable[[], None]] = {
        "Add a product": partial(catalogue.add_a_product, staff),
        "Change many prices": partial(catalogue.paste_prices, staff),
        "Start a sale": partial(catalogue.start_a_sale, staff),
        "Add a promotion": partial(promoting.add_a_promotion, staff),
        "Take something off a collection for a weekend": partial(promoting.reduce_a_collection, staff),
        "Limit a promotion to one use per customer": partial(promoting.limit_to_one_use, staff),
        "Ship free from an amount": partial(promoting.ship_free_from_50, staff),
        "Give one for two": partial(promoting.give_one_for_two, staff),
        "Reward members": partial(promoting.reward_members, staff),
        "Add a region": partial(configuring.add_a_region, staff),
        "Set tax rates for certain products": partial(configuring.tax_food_and_books, staff),
        "Add a service zone": partial(configuring.add_a_service_zone, staff),
        "Offer shipping": partial(configuring.offer_shipping, staff),
        "Add a customer": partial(selling.add_a_customer, staff),
        "Issue a gift card": partial(selling.issue_a_gift_card, staff),
        "Pack and ship an order": partial(selling.pack_and_ship, staff, order),
        "Edit an order": partial(selling.edit, staff, changed),
        "Refund an order": partial(selling.refund, staff, order),
        "Process a return": partial(selling.take_a_return, staff, order),
        "Exchange items": partial(selling.exchange, staff, order),
        "Settle a claim": partial(selling.claim, staff, order),
        "Cancel an order": partial(selling.cancel, staff, regretted),
        "Invite a colleague": partial(configuring.invite_a_colleague, staff),
        "Change a colleague's roles": partial(configuring.change_roles, staff, bob),
        "Undo a deletion": partial(catalogue.delete_and_restore, staff),
    }
    efforts, unknown = {}, {}
    for name, work in tasks.items():
        staff.begin()
        work()
        efforts[name] = staff.effort
        if missing := [words for words in named(name) if words not in staff.words]:
            unknown[name] = missing
    assert (efforts, unknown) == (EXPECTED, {})
    assert staff.page.complaints == []
