"""Exports as programs start them: the SDK's product.export and inventoryItem.export."""

import pytest

from kit.jobs.models import Job
from kit.spreadsheets import files
from staff.models import User
from tests.contract.callers import Caller, refusal
from tests.factories.products import ProductFactory
from tests.kit.jobs.bulk_worker import run_bulk_worker

pytestmark = pytest.mark.django_db


@pytest.mark.django_db(transaction=True)
def test_an_export_has_what_meets_the_filters(program: Caller, user: User) -> None:
    ProductFactory(handle="mug", status="draft")
    ProductFactory(handle="cup", status="published")
    for query, handles in (
        ("limit=1&offset=0&order=-created_at&fields=id", {"mug", "cup"}),
        ("status=draft", {"mug"}),
        ("status=draft&handle=cup", set()),
    ):
        job = Job.objects.get(pk=program.post("/admin/products/export", {}, query=query).json()["transaction_id"])
        run_bulk_worker()
        text = files.path_of(job.pk, "csv").read_text("utf-8-sig")
        assert {row.split(",")[1] for row in text.splitlines()[1:]} == handles, query
    status, message = refusal(program.post("/admin/products/export", {}, query="status=sold"))
    assert (status, "'status'" in message) == (400, True)


def test_two_exports_may_be_unfinished(program: Caller) -> None:
    answers = [program.post("/admin/products/export", {}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 400]
    message = "You already have 2 unfinished exports. Wait until one of them has finished."
    assert refusal(answers[2]) == (400, message)
