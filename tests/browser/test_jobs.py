"""The page of a job updates itself until the job ends."""

import threading
import time
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from django.db import connection
from pytest_django.live_server_helper import LiveServer

from catalog.models import ProductCategory
from kit.admin.actions import verb_actions
from kit.jobs import work
from staff.models import User
from tests.browser.chromium import Page
from tests.factories.catalog import CategoryFactory
from tests.kit.jobs.bulk_worker import run_bulk_worker

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]

PROGRESS = "document.getElementById('progress').innerText"
NOTHING = "0"
"""The page loads itself again."""


@pytest.fixture(autouse=True)
def three_rows_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verb_actions, "MOST_IN_REQUEST", 2)
    monkeypatch.setattr(work, "BATCH_ROWS", 1)


@pytest.fixture
def go_on() -> Iterator[threading.Semaphore]:
    """The worker does one row each time it is released."""
    steps = threading.Semaphore(0)
    with pytest.MonkeyPatch.context() as patch:
        # The module's own, since other threads sleep too.
        clock = SimpleNamespace(monotonic=time.monotonic, sleep=lambda _: steps.acquire(timeout=60))
        patch.setattr(work, "time", clock)
        yield steps


def test_all_categories_are_deleted_and_the_page_shows_how_far(
    page: Page, live_server: LiveServer, go_on: threading.Semaphore
) -> None:
    tea = CategoryFactory(name="Tea")
    CategoryFactory(name="Sencha", parent=CategoryFactory(name="Green", parent=tea))
    page.open(f"{live_server.url}/admin/catalog/productcategory/")
    page.run("document.getElementById('action-toggle').click()")
    page.run("document.querySelector('select[name=action]').value = 'delete_selected'")
    page.follow("document.querySelector('[name=index]').click()")
    assert "The next page shows the progress." in page.text
    page.follow("document.querySelector('[name=post]').form.requestSubmit()")
    assert "Waiting to be started." in page.run(PROGRESS)
    worker = threading.Thread(target=work_off)
    worker.start()
    page.until(f"{PROGRESS}.includes('1 of 3 rows: 1 succeeded, 0 refused')")
    assert "Running." in page.run(PROGRESS)
    assert page.run("document.querySelector('progress').value") == 1
    go_on.release(3)
    page.follow(NOTHING)
    worker.join()
    assert "Done." in page.run(PROGRESS)
    assert "3 of 3 rows: 3 succeeded, 0 refused." in page.run(PROGRESS)
    assert page.run("[...document.scripts].some(script => script.src.endsWith('job.js'))") is False
    assert not ProductCategory.objects.not_deleted().exists()
    assert page.complaints == []


def test_a_refusal_is_shown_with_its_reason(page: Page, live_server: LiveServer, user: User) -> None:
    tea = CategoryFactory(name="Tea")
    chosen = [tea, CategoryFactory(name="Coffee"), CategoryFactory(name="Cocoa")]
    CategoryFactory(name="Green", parent=tea)
    page.open(f"{live_server.url}/admin/catalog/productcategory/")
    for row in chosen:
        page.run(f"document.querySelector('[name=_selected_action][value={row.pk}]').click()")
    page.run("document.querySelector('select[name=action]').value = 'delete_selected'")
    page.follow("document.querySelector('[name=index]').click()")
    page.follow("document.querySelector('[name=post]').form.requestSubmit()")
    run_bulk_worker()
    page.follow(NOTHING)
    assert "2 succeeded, 1 refused" in page.run(PROGRESS)
    refusals = page.run("document.getElementById('refusals').innerText")
    assert refusals.split("\n")[:3] == [
        "Refused: 1",
        "Tea",
        f"Deleting ProductCategory ({tea.pk}) with category children is not allowed",
    ]
    assert page.complaints == []


def work_off() -> None:
    try:
        run_bulk_worker()
    finally:
        connection.close()
