"""The pages of jobs: everybody sees their own, and may cancel them."""

from typing import Any

import pytest
from django.contrib.admin.utils import quote
from django.test import Client

from commerce.operations.admin import jobs
from kit.jobs.creation import create
from kit.jobs.kinds import SINGLE_STEP_JOBS, SingleStep
from kit.jobs.models import Job, Refusal
from kit.jobs.states import JobStatus
from tests.factories.staff import UserFactory
from tests.kit.admin.visits import reported, superuser, visitor

pytestmark = pytest.mark.django_db

LIST = "/admin/jobs/job/"


def a_job(client: Client | None = None, **fields: Any) -> Job:
    actor = UserFactory() if client is None else client.user
    job = create(kind="", title="Tags to be deleted", actor_id=actor.pk, keys=["a", "b", "c"], parameters={})
    Job.objects.filter(pk=job.pk).update(**fields)
    return job


def page_of(job: Job) -> str:
    return f"{LIST}{quote(job.pk)}/change/"


def cancel_of(job: Job) -> str:
    return f"{LIST}{quote(job.pk)}/cancel/"


class TestWhoSees:
    def test_staff_see_their_own_jobs_alone(self) -> None:
        client = visitor()
        mine, other = a_job(client), a_job()
        assert [row.pk for row in client.get(LIST).context["cl"].queryset] == [mine.pk]
        assert client.get(page_of(mine)).status_code == 200
        assert client.get(page_of(other)).status_code == 302  # Django's answer to what is not there
        assert client.get(cancel_of(other)).status_code in (302, 403)

    def test_staff_with_the_permission_see_all_jobs(self) -> None:
        client = visitor("jobs.view_job")
        job = a_job()
        assert len(client.get(LIST).context["cl"].queryset) == 1
        assert client.get(page_of(job)).status_code == 200
        assert client.post(cancel_of(job), {"post": "yes"}).status_code == 403

    def test_the_overview_leads_to_ones_own(self) -> None:
        client = visitor()
        assert client.get("/admin/").context["panels"] == []
        assert client.get(LIST).status_code == 403
        a_job(client)
        (panel,) = client.get("/admin/").context["panels"]
        assert [(figure.count, figure.meaning) for figure in panel.figures] == [(1, "queued or running"), (0, "over")]

    def test_nobody_writes_them(self) -> None:
        job, client = a_job(), superuser()
        assert client.get(f"{LIST}add/").status_code == 403
        assert client.post(page_of(job), {"title": "Other"}).status_code == 403
        assert client.post(f"{LIST}{quote(job.pk)}/delete/", {"post": "yes"}).status_code == 403


class TestProgress:
    @pytest.mark.parametrize(
        ("fields", "said"),
        [
            ({}, ("Waiting to be started.", "0 of 3 rows: 0 succeeded, 0 refused.")),
            ({"status": JobStatus.RUNNING, "succeeded": 1}, ("Running.", "1 of 3 rows: 1 succeeded, 0 refused.")),
            (
                {"status": JobStatus.DONE, "succeeded": 2, "refused": 1},
                ("Done.", "3 of 3 rows: 2 succeeded, 1 refused."),
            ),
            (
                {"status": JobStatus.CANCELED, "succeeded": 1},
                ("Canceled. Finished rows are not undone.", "1 of 3 rows: 1 succeeded, 0 refused, 2 not started."),
            ),
            (
                {"status": JobStatus.FAILED, "message": "The permission 'a.b' is required"},
                (
                    "Failed: The permission &#x27;a.b&#x27; is required. Finished rows are not undone.",
                    "0 of 3 rows: 0 succeeded, 0 refused, 3 not started.",
                ),
            ),
        ],
    )
    def test_it_says_how_far_the_job_is(self, fields: dict[str, Any], said: tuple[str, ...]) -> None:
        client = visitor()
        page = " ".join(client.get(page_of(a_job(client, **fields))).content.decode().split())
        for sentence in said:
            assert sentence in page
        is_over = fields.get("status", JobStatus.QUEUED) not in (JobStatus.QUEUED, JobStatus.RUNNING)
        assert ("data-unfinished" in page) is not is_over
        assert ("commerce/job.js" in page) is not is_over

    @pytest.mark.parametrize(
        ("discard", "said", "asked"),
        [
            (None, "Canceled. Finished rows are not undone.", "Finished rows are not undone."),
            (lambda job: None, "Canceled. <", "its work so far is discarded."),
        ],
    )
    def test_a_single_step_says_what_is_done_and_whether_that_stays(
        self, discard: Any, said: str, asked: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(SINGLE_STEP_JOBS, "_value", {"": SingleStep(lambda job, report: 0, discard=discard)})
        client = visitor()
        job = a_job(client, message="2 prices added")
        assert asked in client.get(cancel_of(job)).content.decode()
        Job.objects.update(status=JobStatus.CANCELED)
        page = " ".join(client.get(page_of(job)).content.decode().split())
        assert said in page
        assert "2 prices added." in page

    def test_each_refusal_is_there_with_its_reason_on_pages(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(jobs, "ROWS_A_PAGE", 2)
        client = visitor()
        job = a_job(client, status=JobStatus.DONE, refused=3)
        for number in range(3):
            Refusal.objects.create(job=job, label=f"Tag <{number}>", reason=f"Reason {number}")
        first, second = (client.get(f"{page_of(job)}?refusals={page}").content.decode() for page in (1, 2))
        assert "Tag &lt;0&gt;" in first
        assert "Reason 1" in first
        assert "Reason 2" not in first
        assert "Page 1 of 2" in first
        assert "Tag &lt;2&gt;" in second
        assert "Reason 2" in second
        assert client.get(f"{page_of(job)}?refusals=nonsense").status_code == 200


class TestCanceling:
    def test_the_button_asks_and_then_cancels(self) -> None:
        client = visitor()
        job = a_job(client)
        assert b"Cancel this job?" in client.get(cancel_of(job)).content
        assert Job.objects.get().status == JobStatus.QUEUED
        assert client.post(cancel_of(job), {"post": "yes"}).status_code == 302
        job.refresh_from_db()
        assert job.status == JobStatus.CANCELED
        assert job.expires_at
        history = client.get(f"{LIST}{quote(job.pk)}/history/").content
        assert b"Canceled." in history

    def test_what_is_over_cannot_be_canceled(self) -> None:
        client = visitor()
        job = a_job(client, status=JobStatus.DONE)
        assert reported(client.post(cancel_of(job), {"post": "yes"})) == ["The job has already ended"]
        job.refresh_from_db()
        assert job.status == JobStatus.DONE
        assert cancel_of(job).encode() not in client.get(page_of(job)).content

    def test_others_need_the_permission(self) -> None:
        job = a_job()
        assert visitor("jobs.view_job", "jobs.change_job").post(cancel_of(job), {"post": "yes"}).status_code == 302
        assert Job.objects.get().status == JobStatus.CANCELED
