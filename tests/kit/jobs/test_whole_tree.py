"""Select all of a tree that is too large for one request; the test changes only the pauses."""

import pytest
from django.contrib.admin.models import LogEntry

from catalog.models import ProductCategory
from kit.admin.actions.verb_actions import MOST_IN_REQUEST
from kit.jobs import work
from kit.jobs.models import Job
from kit.jobs.states import JobStatus
from tests.factories.catalog import CategoryFactory
from tests.kit.admin.visits import superuser
from tests.kit.jobs.bulk_worker import run_bulk_worker

pytestmark = pytest.mark.django_db(transaction=True)

LIST = "/admin/catalog/productcategory/"


def a_large_tree() -> int:
    """Three levels; children are made before the next root, so that neither age nor rank sorts them below parents."""
    for _ in range(6):
        root = CategoryFactory()
        for _ in range(6):
            middle = CategoryFactory(parent=root)
            for _ in range(5):
                CategoryFactory(parent=middle)
    return ProductCategory.objects.count()


def test_all_of_a_tree_are_deleted_and_restored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "PAUSE_SECONDS", 0)
    count, client = a_large_tree(), superuser()
    assert count > MOST_IN_REQUEST == 200
    everything = {"select_across": "1", "_selected_action": ["any"], "post": "yes"}
    for address, action, living in (
        (f"{LIST}?closed=", "delete_selected", 0),  # unfolded, so that all rows are on the list
        (f"{LIST}?deleted=yes", "restore_selected", count),
    ):
        client.post(address, {"action": action, **everything})
        run_bulk_worker()
        job = Job.objects.latest("created_at")
        assert (job.status, job.succeeded, job.refused) == (JobStatus.DONE, count, 0), job.message
        assert ProductCategory.objects.not_deleted().count() == living
    assert LogEntry.objects.filter(user=client.user).count() == 2 * count
