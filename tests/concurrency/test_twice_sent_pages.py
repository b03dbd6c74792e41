"""Other staff forms that are sent twice at the same time, as by a double click: each works once and none fails."""

import json
from collections import Counter

import pytest
from django.test import Client
from django.urls import reverse

from catalog.models import InventoryLevel, Price
from kit.jobs.models import Job
from kit.messages.mails.models import Mail
from kit.messages.mails.queueing import queue_mail
from kit.messages.mails.sending import send_due
from kit.values.ids import new_ulid
from orders.admin.actions import action_url
from orders.models import OrderNote
from tests.catalog.admin.test_bulk_grid import GRID, sold
from tests.concurrency.crowd import at_once
from tests.concurrency.test_twice_sent_forms import statuses
from tests.factories.shop import RegionFactory
from tests.kit.admin.forms import sent
from tests.kit.admin.visits import history, superuser
from tests.kit.messages.mails.conftest import Notes, folder, notes
from tests.orders.reports.export.test_button import directory
from tests.orders.returns.shop import paid

pytestmark = pytest.mark.django_db(transaction=True)

__all__ = ["directory", "folder", "notes"]

EXPORT = {"post": "yes", "kind": "orders"}


def test_a_mail_is_sent_again_once(notes: Notes) -> None:
    queue_mail("note", about="sent")
    send_due()
    address = reverse("admin:mails_mail_send_again", args=[Mail.objects.get().pk])
    assert statuses(superuser(), address, {"post": "yes"}, threads=6) == {302: 6}
    assert Mail.objects.count() == 2


def test_a_grid_is_saved_once() -> None:
    """Stock is booked as a difference, which must not be booked twice."""
    tea = sold("Tea", amount=10, units=5)
    level = InventoryLevel.objects.get()
    cells = {"prices.usd": ["10.00", "12"], f"stock.{level.location_id}": ["5", "8"]}
    grid = json.dumps({"variants": [{"id": tea.pk, "values": None, "cells": cells}], "deleted": []})
    found = statuses(superuser(), GRID, {"grid": grid, "ticket": new_ulid()}, threads=6)
    assert found == {302: 6}
    assert [price.amount for price in Price.objects.all()] == [12]
    level.refresh_from_db()
    assert level.stocked_quantity == 8
    assert [each.stocked_after for each in level.movements.order_by("pk")] == [5, 8]
    assert history() == [("Tea", 2)]


@pytest.mark.parametrize("page", ["product", "productvariant"])
def test_stock_on_the_page_of_one_row_is_booked_once(page: str) -> None:
    tea = sold("Tea", amount=10, units=5)
    level = InventoryLevel.objects.get()
    client = superuser()
    address = reverse(f"admin:catalog_{page}_change", args=[tea.product_id if page == "product" else tea.pk])
    form = sent(client, address)
    if page == "product":
        cells = {f"stock.{level.location_id}": ["5", "8"]}
        form["grid"] = [json.dumps({"variants": [{"id": tea.pk, "values": None, "cells": cells}], "deleted": []})]
    else:
        (name,) = (name for name in form if name.endswith("-0-stocked_quantity") and not name.startswith("initial-"))
        form[name] = ["8"]
    assert statuses(client, address, form, threads=6) == {302: 6}
    level.refresh_from_db()
    assert level.stocked_quantity == 8
    assert [each.stocked_after for each in level.movements.order_by("pk")] == [5, 8]


def test_grids_of_different_rows_cross_without_a_failure() -> None:
    """Each window has both products, in the other's order."""
    pair = [sold("Tea"), sold("Mug")]

    def grid(number: int) -> str:
        rows = pair[:: 1 if number % 2 else -1]
        return json.dumps(
            {
                "variants": [
                    {"id": row.pk, "values": None, "cells": {"prices.usd": ["10.00", str(20 + number)]}} for row in rows
                ],
                "deleted": [],
            }
        )

    client = superuser()
    browsers = [Client() for _ in range(6)]
    for browser in browsers:
        browser.cookies = client.cookies
    forms = [{"grid": grid(number), "ticket": new_ulid()} for number in range(6)]
    found = Counter(at_once(lambda number: browsers[number].post(GRID, forms[number]).status_code, threads=6))
    assert found == {302: 1, 200: 5}
    amounts = {price.amount for price in Price.objects.all()}
    assert len(amounts) == 1


def test_a_note_is_added_once() -> None:
    RegionFactory()
    client, order = superuser(), paid()
    address = action_url(order.pk, "note")
    assert statuses(client, address, sent(client, address, text="Call Ann"), threads=6) == {302: 6}
    assert OrderNote.objects.count() == 1


def test_no_more_exports_are_started_than_allowed(directory: object) -> None:
    client = superuser()
    address = reverse("admin:orders_order_export")
    found = statuses(client, address, EXPORT, threads=6)
    assert found == {302: 2, 200: 4}
    assert Job.objects.count() == 2


def test_a_job_is_canceled_once(directory: object) -> None:
    client = superuser()
    client.post(reverse("admin:orders_order_export"), EXPORT)
    address = reverse("admin:jobs_job_cancel", args=[Job.objects.get().pk])
    assert statuses(client, address, {"post": "yes"}, threads=6) == {302: 6}
    assert [entry for entry in history() if "Export" in entry[0]] == [("Export of orders", 2)]
