"""Admin actions on too many rows for a request run as jobs, with their actor's present permissions."""

import re
from typing import Any
from urllib.parse import unquote

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from catalog.models import Product, ProductCategory, ProductTag
from giftcards.models import GiftCard
from kit.admin.actions import verb_actions
from kit.jobs import work
from kit.jobs.models import Job
from kit.jobs.states import JobStatus
from tests.factories.catalog import CategoryFactory
from tests.factories.giftcards import gift_card
from tests.factories.products import ProductFactory
from tests.kit.admin.visits import history, reported, superuser, visitor
from tests.kit.jobs.bulk_worker import run_bulk_worker

pytestmark = pytest.mark.django_db(transaction=True)

CATEGORIES = "/admin/catalog/productcategory/"
PRODUCTS = "/admin/catalog/product/"
TAGS = "/admin/catalog/producttag/"
GROUPS = "/admin/auth/group/"
CARDS = "/admin/giftcards/giftcard/"


@pytest.fixture(autouse=True)
def three_rows_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests handle at most two rows."""
    monkeypatch.setattr(verb_actions, "MOST_IN_REQUEST", 2)
    monkeypatch.setattr(work, "PAUSE_SECONDS", 0)


def all_of(client: Client, address: str, action: str, **more: str) -> Any:
    """What "select all" across pages sends: one row's key stands for the page."""
    chosen = {"action": action, "select_across": "1", "_selected_action": ["any"], "post": "yes"}
    return client.post(address, {**chosen, **more})


def started(answer: Any) -> Job:
    """The job whose page the answer leads to."""
    assert answer.status_code == 302
    (key,) = re.findall(r"/admin/jobs/job/(\w+)/change/", answer["Location"])
    return Job.objects.get(pk=key.replace("_5F", "_"))


def a_branch() -> list[ProductCategory]:
    tea = CategoryFactory(name="Tea")
    green = CategoryFactory(name="Green", parent=tea)
    return [tea, green, CategoryFactory(name="Sencha", parent=green)]


def test_deletion_goes_by_a_job_and_takes_children_first() -> None:
    client, _ = superuser(), a_branch()
    answer = all_of(client, CATEGORIES, "delete_selected")
    job = started(answer)
    assert (job.title, job.total, job.status) == ("Product categories to be deleted", 3, JobStatus.QUEUED)
    assert ProductCategory.objects.not_deleted().count() == 3
    run_bulk_worker()
    job.refresh_from_db()
    assert (job.status, job.succeeded, job.refused) == (JobStatus.DONE, 3, 0)
    assert not ProductCategory.objects.not_deleted().exists()
    assert history() == [("Sencha", 3), ("Green", 3), ("Tea", 3)]
    assert set(LogEntry.objects.values_list("user", "change_message")) == {(client.user.pk, "Deleted.")}


def test_restoring_takes_parents_first() -> None:
    client, _ = superuser(), a_branch()
    all_of(client, CATEGORIES, "delete_selected")
    run_bulk_worker()
    started(all_of(client, f"{CATEGORIES}?deleted=yes", "restore_selected"))
    run_bulk_worker()
    assert ProductCategory.objects.not_deleted().count() == 3


def test_as_many_as_a_request_does_are_done_at_once() -> None:
    CategoryFactory(name="Tea")
    CategoryFactory(name="Coffee")
    answer = all_of(superuser(), CATEGORIES, "delete_selected")
    assert reported(answer) == ["2 product categories deleted."]
    assert not Job.objects.exists()


def test_the_job_is_about_what_the_list_was_narrowed_to() -> None:
    for name in ("Green tea", "Black tea", "White tea", "Coffee"):
        CategoryFactory(name=name)
    job = started(all_of(superuser(), f"{CATEGORIES}?q=tea", "delete_selected"))
    CategoryFactory(name="Later tea")
    run_bulk_worker()
    assert job.total == 3
    assert sorted(ProductCategory.objects.not_deleted().values_list("name", flat=True)) == ["Coffee", "Later tea"]


def test_a_refusal_is_kept_with_its_reason() -> None:
    tea, green, sencha = a_branch()
    leaf = CategoryFactory(name="Gyokuro", parent=green)
    chosen = [row.pk for row in (tea, green, sencha)]
    answer = superuser().post(
        CATEGORIES, {"action": "delete_selected", "_selected_action": chosen, "post": "yes", "select_across": "0"}
    )
    job = started(answer)
    run_bulk_worker()
    job.refresh_from_db()
    assert (job.status, job.succeeded, job.refused) == (JobStatus.DONE, 1, 2)
    assert list(job.refusals.values_list("label", "reason")) == [
        ("Green", f"Deleting ProductCategory ({green.pk}) with category children is not allowed"),
        ("Tea", f"Deleting ProductCategory ({tea.pk}) with category children is not allowed"),
    ]
    assert ProductCategory.objects.not_deleted().filter(pk=leaf.pk).exists()


@pytest.mark.parametrize(
    ("address", "action", "participle"),
    [(PRODUCTS, "publish_selected", "published"), (PRODUCTS, "draft_selected", "moved to draft")],
)
def test_changes_of_statuses_go_by_a_job_too(address: str, action: str, participle: str) -> None:
    for _ in range(3):
        ProductFactory()
    job = started(all_of(superuser(), address, action))
    assert job.title == f"Products to be {participle}"
    run_bulk_worker()
    status = "published" if action == "publish_selected" else "draft"
    assert set(Product.objects.values_list("status", flat=True)) == {status}


def test_the_history_has_each_rows_status_from_before() -> None:
    for status in ("draft", "proposed", "published"):
        ProductFactory(title=status, status=status)
    started(all_of(superuser(), PRODUCTS, "publish_selected"))
    run_bulk_worker()
    assert dict(LogEntry.objects.values_list("object_repr", "change_message")) == {
        "draft": "Status changed from draft to published.",
        "proposed": "Status changed from proposed to published.",
        "published": "Published.",
    }


def test_the_reason_of_a_form_goes_into_the_history() -> None:
    cards = [gift_card() for _ in range(3)]
    started(all_of(superuser(), CARDS, "cancel_selected", reason="Printed twice"))
    run_bulk_worker()
    assert set(GiftCard.objects.values_list("status", flat=True)) == {"canceled"}
    said = LogEntry.objects.filter(object_id__in=[card.pk for card in cards]).values_list("change_message", flat=True)
    assert list(said) == ["Canceled: Printed twice"] * 3


def test_rows_that_django_deletes_go_by_a_job_too() -> None:
    keys = {str(Group.objects.create(name=name).pk) for name in ("Day", "Night", "Weekend")}
    started(all_of(superuser(), GROUPS, "delete_selected"))
    run_bulk_worker()
    assert not Group.objects.exists()
    assert set(LogEntry.objects.values_list("object_id", flat=True)) == keys


@pytest.mark.parametrize("lost", ["permission", "account", "screen"])
def test_what_the_actor_may_no_longer_do_is_not_done(lost: str) -> None:
    client = visitor("catalog.view_productcategory", "catalog.delete_productcategory")
    a_branch()
    job = started(all_of(client, CATEGORIES, "delete_selected"))
    if lost == "account":
        client.user.is_active = False
        client.user.save()
    else:
        kept = client.user.user_permissions.filter(codename="view_productcategory")
        client.user.user_permissions.set(kept if lost == "permission" else [])
    run_bulk_worker()
    job.refresh_from_db()
    assert (job.status, job.succeeded, job.refused) == (JobStatus.FAILED, 0, 0)
    assert (
        job.message
        == {
            "permission": "The permission 'catalog.delete_productcategory' is required",
            "account": f"The account of {client.user} is no longer active",
            "screen": f"{client.user} may no longer view these rows",
        }[lost]
    )
    assert ProductCategory.objects.not_deleted().count() == 3
    assert history() == []


def test_a_row_that_is_gone_is_named() -> None:
    tags = [ProductTag.objects.create(value=value) for value in ("new", "old", "rare")]
    job = started(all_of(superuser(), TAGS, "delete_selected"))
    tags[0].delete()
    run_bulk_worker()
    job.refresh_from_db()
    assert (job.succeeded, job.refused) == (2, 1)
    assert job.refusals.get().reason == work.GONE


def test_the_question_neither_lists_nor_repeats_what_is_chosen_across_pages() -> None:
    client = superuser()
    costs = []
    for number in (30, 60):
        for _ in range(number):
            CategoryFactory()
        with CaptureQueriesContext(connection) as queries:
            answer = client.post(
                CATEGORIES, {"action": "delete_selected", "select_across": "1", "_selected_action": ["any"]}
            )
        page = unquote(answer.content.decode())
        assert page.count("<li>Category") == 20
        assert page.count('name="_selected_action"') == 1
        costs.append(len(queries))
    assert "and 70 more" in page
    assert "in the background" in page
    assert costs[0] == costs[1]
