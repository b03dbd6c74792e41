"""Work on many orders from their list: few clicks, on a desk and on a phone."""

import threading
from pathlib import Path

import pytest
from django.db import connection
from pytest_django.live_server_helper import LiveServer

from kit.jobs.models import Job
from orders.models import Fulfillment, FulfillmentLabel
from tests.browser.axe import violations
from tests.browser.chromium import Page
from tests.browser.day.person import Person
from tests.browser.overflow import overflow
from tests.kit.jobs.bulk_worker import run_bulk_worker
from tests.orders.fulfillments.shop import pack
from tests.orders.managing.bulk.shop import packed_orders, told
from tests.orders.returns.shop import paid

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]
DESK, PHONE = (1280, 900), (390, 844)
MOST_CLICKS = 12


class Clerk(Person):
    """Takes a picture of each page, and looks for what is wrong with it."""

    def __init__(self, page: Page, site: str, pictures: Path, size: tuple[int, int]) -> None:
        super().__init__(page, site, None)
        self._folder, self._size, self.faults = pictures, size, list[str]()
        page.resize(*size)

    def see(self, name: str) -> None:
        width, height = self._size
        self.page.shoot(self._folder / f"{name}-{width}.png", width=width, height=height)
        self.faults += [f"{name}: {fault}" for fault in (*violations(self.page), *overflow(self.page, width))]

    def choose_all(self, action: str) -> None:
        """Every order of the page, and what is to be done with them."""
        self.tick("#action-toggle")
        self.see("list")
        self.select("action", action)
        self.activate("button[name=index]")


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_twenty_orders_with_tracking_numbers(
    page: Page, live_server: LiveServer, tmp_path: Path, size: tuple[int, int]
) -> None:
    orders = packed_orders(20)
    clerk = Clerk(page, live_server.url, tmp_path, size)
    clerk.activate("main a", "20")
    clerk.choose_all("Ship")
    clerk.see("form")
    clerk.reach("[name=pasted]")
    rows = [f"{order.display_id}\tT-{order.display_id}" for order in orders]
    page.send("Input.insertText", text="\n".join([*rows, "4711\tT-4711"]))
    clerk.activate("main form button", "Preview")
    clerk.see("preview")
    assert "No order has this number." in page.text
    assert not FulfillmentLabel.objects.exists()
    clerk.activate("main form button", "Ship 20 parcels")
    clerk.see("job")
    work_off(page)
    clerk.see("results")
    assert "21 of 21 rows: 20 done, 0 skipped, 1 refused." in page.text
    assert len([status for _, status, _ in told(Job.objects.get()) if status == "done"]) == 20
    assert clerk.effort.clicks <= MOST_CLICKS
    clerk.activate("main a", "Back to the list")
    assert "todo=ship" in page.run("location.search")
    assert not Fulfillment.objects.filter(shipped_at=None).exists()
    assert clerk.faults == []
    assert page.complaints == []


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_numbers_of_several_parcels_are_typed(
    page: Page, live_server: LiveServer, tmp_path: Path, size: tuple[int, int]
) -> None:
    order = paid()
    first, _ = pack(order, 2), pack(order, 3)
    clerk = Clerk(page, live_server.url, tmp_path, size)
    page.open(f"{live_server.url}/admin/orders/order/?todo=ship")
    clerk.choose_all("Ship")
    clerk.enter(f"tracking_{first.pk}", "00340434161094")
    clerk.see("typed")
    clerk.activate("main form button", "Preview")
    clerk.see("typed-preview")
    clerk.activate("main form button", "Ship 1 parcel")
    work_off(page)
    assert FulfillmentLabel.objects.get().fulfillment_id == first.pk
    assert clerk.faults == []


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_the_other_actions(page: Page, live_server: LiveServer, tmp_path: Path, size: tuple[int, int]) -> None:
    order = paid()
    clerk = Clerk(page, live_server.url, tmp_path, size)
    for name, button in (("Pack", "Pack"), ("Complete", "Complete"), ("Print", "Print")):
        page.open(f"{live_server.url}/admin/orders/order/?q=%23{order.display_id}")
        clerk.choose_all(name)
        clerk.see(name)
        clerk.activate("main form button", button)
        if name == "Print":
            clerk.see("printed")
            assert f"Order {order}" in page.text
            clerk.activate("a", "Back to the orders")
            assert page.run("location.search") == f"?q=%23{order.display_id}"
        else:
            work_off(page)
            clerk.see(f"{name}-results")
    assert Fulfillment.objects.get().order == order
    assert clerk.faults == []
    assert page.complaints == []


def work_off(page: Page) -> None:
    """The job that the page shows, by a worker beside it."""

    def run() -> None:
        try:
            run_bulk_worker()
        finally:
            connection.close()

    worker = threading.Thread(target=run)
    worker.start()
    page.follow("0")  # the page loads itself again
    worker.join()
    assert page.run("document.getElementById('results') !== null")
