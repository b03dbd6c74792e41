"""Staff export orders in the admin site."""

import os
import stat
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from django.contrib.admin.utils import quote
from django.db import connection
from django.db.models import Sum
from django.test import Client
from pytest_django import Settings

from kit.errors import Conflict
from kit.jobs import turns
from kit.jobs.creation import create
from kit.jobs.endings import cancel
from kit.jobs.models import Job
from kit.jobs.states import JobStatus
from kit.values.timestamps import now
from orders.models import Order
from orders.reports.export import files
from orders.reports.export.choice import Choice
from orders.reports.export.job import JOB_KIND, MOST_OPEN
from tests.factories.carts import sold_variant
from tests.kit.admin.visits import visitor
from tests.kit.jobs.bulk_worker import let_leases_end, run_bulk_worker
from tests.orders.reports.export.shop import bought, rows

FORM = "/admin/orders/order/export/"
PERMISSIONS = ("orders.view_order", "orders.export_order")


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, settings: Settings) -> Path:
    settings.EXPORT_DIR = str(tmp_path / "exports")
    return tmp_path / "exports"


def send(client: Client, **fields: Any) -> Any:
    return client.post(FORM, {"post": "yes", "kind": "orders", **fields})


def job_page(job: Job) -> str:
    return f"/admin/jobs/job/{quote(job.pk)}/change/"


def download(job: Job) -> str:
    return f"/admin/orders/order/exports/{quote(job.pk)}/"


def done_export(client: Client, content: bytes = b"order_number\r\n", **columns: Any) -> Job:
    """A finished export of that user."""
    job = create(
        kind=JOB_KIND, title="Export", actor_id=client.user.pk, keys=(), parameters={"kind": "orders", "choice": {}}
    )
    with files.new_file(job.pk) as file:
        file.write(content)
    Job.objects.filter(pk=job.pk).update(**{"status": JobStatus.DONE, "finished_at": now(), **columns})
    return job


@pytest.mark.django_db
class TestTheForm:
    def test_its_choice_is_that_of_the_command(self, fake: object) -> None:
        client = visitor(*PERMISSIONS)
        order = bought()
        answer = send(
            client,
            kind="lines",
            since="2027-01-01",
            until="2027-01-31",
            status=["pending", "canceled"],
            payment_status=["captured"],
            fulfillment_status=["shipped"],
            sales_channel=[order.sales_channel_id],
            region=[order.region_id],
        )
        job = Job.objects.get()
        assert answer["Location"] == job_page(job)
        assert (job.kind, job.actor_id, job.parameters["kind"]) == (JOB_KIND, client.user.pk, "lines")
        assert Choice.from_json(job.parameters["choice"]) == Choice(
            since=datetime(2027, 1, 1, tzinfo=UTC),
            until=datetime(2027, 1, 31, 23, 59, 59, 999_000, tzinfo=UTC),
            status=["canceled", "pending"],
            payment_status=["captured"],
            fulfillment_status=["shipped"],
            sales_channel_id=[order.sales_channel_id],
            region_id=[order.region_id],
        )

    @pytest.mark.parametrize(
        ("fields", "named"),
        [
            ({"kind": "carts"}, "kind"),
            ({"since": "January"}, "since"),
            ({"since": "2027-01-02", "until": "2027-01-01"}, "until"),
            ({"status": ["lost"]}, "status"),
            ({"region": ["\x00"]}, "region"),
            ({"sales_channel": ["sc_none"]}, "sales_channel"),
            ({"separator": "pipe"}, "separator"),
        ],
    )
    def test_what_it_cannot_take_is_named(self, fields: dict[str, Any], named: str) -> None:
        answer = send(visitor(*PERMISSIONS), **fields)
        assert list(answer.context["form"].errors) == [named]
        assert not Job.objects.exists()

    @pytest.mark.parametrize("held", PERMISSIONS)
    def test_it_needs_both_permissions(self, held: str) -> None:
        client = visitor(held)
        assert client.get(FORM).status_code == 403
        assert send(client).status_code == 403
        assert FORM not in client.get("/admin/orders/order/").content.decode()

    def test_a_user_has_so_many_open_exports_and_no_more(self) -> None:
        client, other = visitor(*PERMISSIONS), visitor(*PERMISSIONS)
        for _ in range(MOST_OPEN):
            assert send(client).status_code == 302
        answer = send(client)
        assert "You already have 2 unfinished exports." in answer.content.decode()
        assert send(other).status_code == 302
        Job.objects.filter(actor=client.user).update(status=JobStatus.DONE)
        assert send(client).status_code == 302


@pytest.mark.django_db
class TestTheDownload:
    def test_it_is_a_file_that_no_cache_keeps(self, directory: Path) -> None:
        client = visitor(*PERMISSIONS)
        job = done_export(client)
        assert download(job) in client.get(job_page(job)).content.decode()
        answer = client.get(download(job))
        assert b"".join(answer.streaming_content) == b"order_number\r\n"
        assert answer["Content-Disposition"] == f'attachment; filename="orders-{now():%Y-%m-%d}.csv"'
        assert answer["Content-Type"] == "text/csv; charset=utf-8"
        assert "no-store" in answer["Cache-Control"]
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert stat.S_IMODE(directory.stat().st_mode) == 0o700
        assert [stat.S_IMODE(path.stat().st_mode) for path in directory.iterdir()] == [0o600]

    def test_others_do_not_get_it_whatever_they_may(self) -> None:
        job = done_export(visitor(*PERMISSIONS))
        for other in (visitor(*PERMISSIONS, "jobs.view_job"), visitor(is_superuser=True)):
            assert other.get(download(job)).status_code == 404
            assert download(job) not in other.get(job_page(job)).content.decode()
        assert Client().get(download(job)).status_code == 302  # to the login

    @pytest.mark.parametrize("lost", PERMISSIONS)
    def test_it_needs_the_permissions_of_now(self, lost: str) -> None:
        client = visitor(*PERMISSIONS)
        job = done_export(client)
        assert client.get(download(job)).status_code == 200
        client.user.user_permissions.remove(*client.user.user_permissions.filter(codename=lost.split(".")[1]))
        assert client.get(download(job)).status_code == 404
        assert download(job) not in client.get(job_page(job)).content.decode()

    @pytest.mark.parametrize(
        "columns",
        [
            {"finished_at": now() - timedelta(hours=25)},
            {"status": JobStatus.RUNNING},
            {"status": JobStatus.CANCELED},
            {"kind": "bulk_action"},
        ],
    )
    def test_there_is_none_of_such_a_job(self, columns: dict[str, Any]) -> None:
        client = visitor(*PERMISSIONS)
        assert client.get(download(done_export(client, **columns))).status_code == 404

    @pytest.mark.parametrize("address", ["job_none", "..%2F..%2Fetc", "%00", "a/b"])
    def test_other_addresses_lead_to_nothing(self, address: str) -> None:
        assert visitor(*PERMISSIONS).get(f"/admin/orders/order/exports/{address}/").status_code == 404

    def test_a_file_that_is_gone_is_not_found(self) -> None:
        client = visitor(*PERMISSIONS)
        job = done_export(client)
        files.path_of(job.pk).unlink()
        assert client.get(download(job)).status_code == 404
        assert client.get(job_page(job)).status_code == 200


@pytest.mark.django_db
class TestPruning:
    def test_files_of_yesterday_are_deleted_also_half_written_ones(self, directory: Path) -> None:
        job = done_export(visitor(*PERMISSIONS))
        fresh = files.path_of(job.pk)
        for name in ("job_gone.csv", "job_gone.csv.ab12.part", "job_new.csv.ab12.part"):
            (directory / name).touch(mode=0o600)
        a_day_ago = (now() - timedelta(hours=24, seconds=1)).timestamp()
        for path in directory.glob("job_gone*"):
            os.utime(path, (a_day_ago, a_day_ago))
        assert files.discard_expired() == 2
        assert sorted(path.name for path in directory.iterdir()) == sorted([fresh.name, "job_new.csv.ab12.part"])

    def test_one_that_vanishes_meanwhile_is_no_error(self, directory: Path) -> None:
        """It is listed, and then it is not there, like the end of this link."""
        directory.mkdir()
        (directory / "job_moved.csv").symlink_to(directory / "nowhere")
        assert files.discard_expired() == 0

    def test_without_a_directory_there_is_nothing_to_delete(self) -> None:
        assert files.discard_expired() == 0


@pytest.mark.django_db(transaction=True)
class TestTheJob:
    def test_its_format_is_that_of_the_file_and_offered_again(self, fake: object) -> None:
        client = visitor(*PERMISSIONS)
        bought(sold_variant(10))
        send(client, separator="semicolon", decimal_mark="comma", for_spreadsheets="on")
        run_bulk_worker()
        content = b"".join(client.get(download(Job.objects.get())).streaming_content)
        assert content.startswith(b"\xef\xbb\xbforder_number;custom_display_id;")
        assert b";10,00;" in content
        offered = client.get(FORM).context["form"]
        assert [offered[name].value() for name in ("separator", "decimal_mark", "for_spreadsheets")] == [
            "semicolon", "comma", True,
        ]  # fmt: skip
        assert visitor(*PERMISSIONS).get(FORM).context["form"]["separator"].value() == "comma"

    def test_its_sums_are_those_of_the_database(self, fake: object) -> None:
        client = visitor(*PERMISSIONS)
        made = [bought(), bought()]
        for kind in ("orders", "lines"):
            send(client, kind=kind)
        run_bulk_worker()
        files_of = {}
        for job in Job.objects.all():
            assert (job.status, job.succeeded, job.total, job.message) == (JobStatus.DONE, 2, 2, "")
            answer = client.get(download(job))
            files_of[job.parameters["kind"]] = rows(b"".join(answer.streaming_content))
        exact = Order.objects.aggregate(Sum("total"), Sum("item_total"))
        assert sum(Decimal(row["total"]) for row in files_of["orders"]) == exact["total__sum"]
        assert sum(Decimal(row["total"]) for row in files_of["lines"]) == exact["item_total__sum"]
        assert {row["order_number"] for row in files_of["lines"]} == {str(order.display_id) for order in made}

    def test_it_has_the_permissions_of_its_actor_when_it_runs(self, directory: Path) -> None:
        client = visitor(*PERMISSIONS)
        send(client)
        client.user.user_permissions.clear()
        run_bulk_worker()
        job = Job.objects.get()
        assert (job.status, job.message) == (JobStatus.FAILED, "The permission 'orders.view_order' is required")
        assert not directory.exists()

    def test_a_disk_that_takes_no_file_is_shown(self, settings: Settings, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        settings.EXPORT_DIR = str(tmp_path / "file" / "exports")
        client = visitor(*PERMISSIONS)
        send(client)
        run_bulk_worker()
        job = Job.objects.get()
        assert (job.status, job.message) == (JobStatus.FAILED, "An internal error. See the server's log.")
        assert "Failed: An internal error." in client.get(job_page(job)).content.decode()

    def test_a_canceled_one_leaves_no_file(
        self, fake: object, directory: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("kit.jobs.single_step.REPORT_SECONDS", 0)
        monkeypatch.setattr("orders.reports.export.batches.BATCH", 1)
        bought()
        client = visitor(*PERMISSIONS)
        send(client)
        job = Job.objects.get()

        def cancel_meanwhile() -> None:
            cancel(job)
            connection.close()

        def line(*_: object) -> list[str]:
            meanwhile = Thread(target=cancel_meanwhile)
            meanwhile.start()
            meanwhile.join()
            return []

        monkeypatch.setattr("orders.reports.export.order_rows.line", line)
        run_bulk_worker()
        job.refresh_from_db()
        assert job.status == JobStatus.CANCELED
        assert list(directory.iterdir()) == []

    def test_one_that_is_canceled_as_its_file_is_finished_leaves_none(
        self, directory: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        renew = turns._renew
        finished: list[str] = []

        def cancel_at_the_end(job: Job, done: int, total: int) -> None:
            if seen := [path.name for path in directory.glob("*.csv")]:
                finished.extend(seen)
                cancel(job)
            renew(job, done, total)

        monkeypatch.setattr(turns, "_renew", cancel_at_the_end)
        send(visitor(*PERMISSIONS))
        run_bulk_worker()
        job = Job.objects.get()
        assert (job.status, finished) == (JobStatus.CANCELED, [f"{job.pk}.csv"])
        assert list(directory.iterdir()) == []

    def test_a_conflict_does_not_end_it(self, fake: object, monkeypatch: pytest.MonkeyPatch) -> None:
        """Its lease ends, and another turn begins."""
        monkeypatch.setattr("kit.jobs.single_step.REPORT_SECONDS", 0)
        renew, conflicts = turns._renew, [Conflict()]

        def renew_later(job: Job, done: int, total: int) -> None:
            if done and conflicts:
                raise conflicts.pop()
            renew(job, done, total)

        monkeypatch.setattr(turns, "_renew", renew_later)
        bought()
        send(visitor(*PERMISSIONS))
        run_bulk_worker()
        assert (Job.objects.get().status, conflicts) == (JobStatus.RUNNING, [])
        let_leases_end()
        run_bulk_worker()
        assert (Job.objects.get().status, Job.objects.get().succeeded) == (JobStatus.DONE, 1)

    def test_a_person_who_is_erased_meanwhile(
        self, fake: object, directory: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def line(*_: object) -> list[str]:
            files.discard_all()
            return []

        monkeypatch.setattr("orders.reports.export.order_rows.line", line)
        bought()
        send(visitor(*PERMISSIONS))
        run_bulk_worker()
        job = Job.objects.get()
        said = "The file was deleted because a person was erased; start the export again."
        assert (job.status, job.message, list(directory.iterdir())) == (JobStatus.FAILED, said, [])


@pytest.mark.django_db
@pytest.mark.parametrize(("field", "day"), [("since", "0001-01-01"), ("until", "9999-12-31")])
def test_days_at_the_edge_of_the_calendar_are_refused(field: str, day: str) -> None:
    response = visitor(*PERMISSIONS).post(FORM, {"post": "yes", "kind": "orders", field: day})
    assert list(response.context["form"].errors) == [field]
    assert not Job.objects.exists()
