"""The metrics of a running server, and what the database says in them."""

import importlib.metadata
import os
import re
import signal
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from datetime import timedelta
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django_tasks import TaskResultStatus
from prometheus_client import REGISTRY, CollectorRegistry

from commerce.operations.monitoring.metrics_server import ShopCollector
from commerce.operations.monitoring.queue_ages import oldest_waiting
from giftcards.verification.ledger_check import keep_check
from kit.jobs.queues import QUEUES
from kit.messages.mails.models import Mail
from kit.messages.mails.queueing import queue_mail
from kit.messages.outbox.models import Event
from kit.observability import metering
from kit.observability.metering import count_lock_conflict, provider_call
from kit.values.timestamps import now
from payments.requests.intents import resume
from tests.crash.faults import web_processes
from tests.operations.backups.conftest import path_of_programs
from tests.operations.server.test_serve import serving, wait_until
from tests.packages import ROOT
from tests.ports import free_port

__all__ = ["path_of_programs"]
SAMPLE = re.compile(r"^([a-z_]+(?:\{.*\})?) (\S+)$", re.MULTILINE)
PROCESSES = ("background", "supervisor", "web 1", "web 1 manager")
OF_PROCESSES = ("cpu_seconds_total", "max_fds", "open_fds", "resident_memory_bytes", "start_time_seconds")


def got(port: int, path: str, *, host: str = "127.0.0.1", method: str = "GET") -> tuple[int, str]:
    """The status and the body; 0 and no body if nothing answers there."""
    web = HTTPConnection(host, port, timeout=10)
    try:
        web.request(method, path)
        answer = web.getresponse()
        return answer.status, answer.read().decode()
    except OSError:
        return 0, ""
    finally:
        web.close()


def scraped(port: int) -> Mapping[str, float]:
    """Each sample's value, by its name and labels as they are written."""
    return {name: float(value) for name, value in SAMPLE.findall(got(port, "/metrics")[1])}


def shop_metrics() -> Mapping[str, float]:
    registry = CollectorRegistry()
    registry.register(ShopCollector())
    return {
        " ".join((sample.name, *sample.labels.values())): sample.value
        for family in registry.collect()
        for sample in family.samples
    }


def processes(port: int) -> Mapping[tuple[str, str], float]:
    """What is known of each process, by the end of the metric's name and the name of the process."""
    found = re.findall(r'^process_(\w+)\{process="(.*)"\} (\S+)$', got(port, "/metrics")[1], re.MULTILINE)
    return {(name, process): float(value) for name, process, value in found if name != "virtual_memory_bytes"}


def resident_bytes(pid: int) -> int:
    (kilobytes,) = re.findall(r"^VmRSS:\s+(\d+) kB$", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    return int(kilobytes) * 1024


@pytest.mark.once
@pytest.mark.django_db(transaction=True)
def test_the_numbers_of_all_processes_are_added_up_beside_the_public_port(process_environment: dict[str, str]) -> None:
    port, metrics_port = free_port(), free_port()
    product = 'commerce_requests_total{method="GET",route="store/products",status="400"}'
    unknown = 'commerce_requests_total{method="other",route="none",status="404"}'
    with serving(port, {**process_environment, "METRICS_PORT": str(metrics_port)}) as server:
        assert [got(port, "/store/products")[0] for _ in range(2)] == [400, 400]
        assert got(port, "/a", method="X1")[0] == got(port, "/metrics")[0] == 404
        wait_until(lambda: scraped(metrics_port).get(product) == 2, server)
        (worker,) = web_processes(server.pid)
        first = processes(metrics_port)
        assert set(first) == {(name, each) for name in OF_PROCESSES for each in PROCESSES}
        assert first["resident_memory_bytes", "web 1"] == pytest.approx(resident_bytes(worker), rel=0.1)
        assert first["resident_memory_bytes", "supervisor"] == pytest.approx(resident_bytes(server.pid), rel=0.1)
        os.kill(worker, signal.SIGKILL)
        wait_until(lambda: web_processes(server.pid) not in ([], [worker]), server)
        wait_until(lambda: got(port, "/store/products")[0] == 400, server)
        samples = scraped(metrics_port)
        assert samples[product] == 3  # two of the killed process, one of the next
        assert samples[unknown] == 1
        assert processes(metrics_port)["start_time_seconds", "web 1"] > first["start_time_seconds", "web 1"]
        assert samples["commerce_database_up"] == 1
        assert samples["commerce_statement_seconds_count"] > 0
        assert got(metrics_port, "/metrics", host="127.0.0.2") == (0, "")


@pytest.mark.once
def test_without_a_port_no_process_loads_or_counts_anything() -> None:
    shown = "import commerce.wsgi, sys; print([name for name in sys.modules if 'prometheus' in name])"
    environment = {"PATH": os.environ["PATH"], "COMMERCE_ENV": "development", "DATABASE_URL": "sqlite://:memory:"}
    command = [sys.executable, "-c", shown]
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True, timeout=60)
    assert ran.stdout == "[]\n"


@pytest.mark.django_db
def test_each_queue_has_the_age_of_its_oldest_due_work() -> None:
    assert oldest_waiting() == dict.fromkeys((*QUEUES, "mails", "webhooks"), 0)
    resume.enqueue(intent_id="none")
    resume.using(run_after=now() + timedelta(hours=1), queue_name="long").enqueue(intent_id="none")
    queue_mail("order_placed", about="order_any")
    Mail.objects.update(next_try_at=now() - timedelta(seconds=90))
    Event.objects.create(name="order.placed", about="order_any", data={}, created_at=now() - timedelta(seconds=30))
    ages = oldest_waiting()
    assert 0 < ages["urgent"] < 10
    assert (ages["long"], ages["carriers"]) == (0, 0)
    assert 90 <= ages["mails"] < 100
    assert 30 <= ages["webhooks"] < 40


@pytest.mark.django_db(transaction=True)
def test_kept_tasks_and_open_work_are_counted() -> None:
    queue_mail("order_placed", about="order_any")
    failed = resume.enqueue(intent_id="none")
    resume.enqueue(intent_id="none")
    type(failed.db_result).objects.filter(pk=failed.id).update(status=TaskResultStatus.FAILED)
    metrics = shop_metrics()
    assert metrics["commerce_tasks urgent failed"] == metrics["commerce_tasks urgent ready"] == 1
    assert metrics["commerce_open_work mails"] == 1
    assert metrics["commerce_open_work payment requests"] == 0


def build() -> dict[str, str]:
    """The labels of the one sample that says what serves."""
    registry = CollectorRegistry()
    registry.register(ShopCollector())
    (info,) = [family for family in registry.collect() if family.name == "commerce_build"]
    (sample,) = info.samples
    assert (sample.name, sample.value) == ("commerce_build_info", 1)
    return dict(sample.labels)


@pytest.mark.django_db(transaction=True)
def test_the_versions_that_serve_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    said = "SELECT version()" if connection.vendor == "postgresql" else "SELECT 'SQLite ' || sqlite_version()"
    with connection.cursor() as cursor:
        cursor.execute(said)
        database = " ".join(cursor.fetchone()[0].split()[:2])
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    python = sys.version.split()[0]
    installed = importlib.metadata.version("django")
    assert build() == {"version": project, "python": python, "django": installed, "database": database}

    def refuse(*arguments: object) -> None:
        raise OperationalError("connection to 10.0.0.7 failed")

    monkeypatch.setattr(connection, "cursor", refuse)
    assert build()["database"] == database.split()[0]


@pytest.mark.django_db(transaction=True)
def test_without_a_database_the_metrics_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise OperationalError("connection to 10.0.0.7 failed")

    monkeypatch.setattr(connection, "cursor", refuse)
    assert shop_metrics()["commerce_database_up"] == 0


@pytest.mark.django_db(transaction=True)
def test_the_last_ledger_check_is_shown(settings: Any, tmp_path: Path) -> None:
    settings.METRICS_DIR = tmp_path / "metrics"
    call_command("verify_ledger", verbosity=0)
    assert not settings.METRICS_DIR.exists()  # metrics are off
    settings.METRICS_PORT = 9100
    assert "commerce_ledger_discrepancies" not in shop_metrics()
    call_command("verify_ledger", verbosity=0)
    assert shop_metrics()["commerce_ledger_discrepancies"] == 0
    assert abs(shop_metrics()["commerce_ledger_check_timestamp_seconds"] - now().timestamp()) < 60
    keep_check(3)
    assert shop_metrics()["commerce_ledger_discrepancies"] == 3


@pytest.mark.django_db(transaction=True)
def test_the_last_backup_is_shown(settings: Any, tmp_path: Path, path_of_programs: str) -> None:
    for name in ("METRICS_DIR", "MEDIA_ROOT", "UPLOAD_DIR"):
        setattr(settings, name, tmp_path / name)
    call_command("backup", str(tmp_path / "metrics-are-off.zip"), verbosity=0)
    settings.METRICS_PORT = 9100
    with pytest.raises(CommandError):
        call_command("backup", str(tmp_path / "metrics-are-off.zip"), verbosity=0)  # the file exists
    assert "commerce_backup_timestamp_seconds" not in shop_metrics()
    call_command("backup", str(tmp_path / "metrics-are-on.zip"), verbosity=0)
    assert abs(shop_metrics()["commerce_backup_timestamp_seconds"] - now().timestamp()) < 60


class Declined(Exception):
    pass


def test_calls_of_providers_are_counted_by_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metering, "IS_ON", True)

    def counted(outcome: str) -> float | None:
        labels = {"provider": "pp_test", "act": "capture", "outcome": outcome}
        return REGISTRY.get_sample_value("commerce_provider_seconds_count", labels)

    with provider_call("pp_test", "capture", declines=Declined):
        pass
    with pytest.raises(Declined), provider_call("pp_test", "capture", declines=Declined):
        raise Declined
    with pytest.raises(TimeoutError), provider_call("pp_test", "capture", declines=Declined):
        raise TimeoutError
    assert [counted(outcome) for outcome in ("answered", "declined", "failed")] == [1, 1, 1]


def test_conflicts_of_locks_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metering, "IS_ON", True)
    count_lock_conflict("40P01")
    assert REGISTRY.get_sample_value("commerce_lock_conflicts_total", {"reason": "40P01"}) == 1
