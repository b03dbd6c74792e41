"""The bulk worker is killed while it applies an import: each product is written once, and all can be taken back."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pytest_django import Settings

from catalog.models import InventoryLevel, Product, StockMovement
from kit.jobs.states import JobStatus
from kit.spreadsheets.jobs import start_apply
from kit.spreadsheets.models import Import
from staff.actors import staff_actor
from tests.catalog.spreadsheets.importing import applied, before, exported, lines, previewed
from tests.factories.inventory import StockLocationFactory
from tests.factories.staff import UserFactory
from tests.kit.jobs.bulk_worker import let_leases_end, run_bulk_worker
from tests.packages import ROOT

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE = 120.0
OLD, NUMBER = 60, 120
HEADER = "Product Handle,Product Title,Variant SKU,Variant Price EUR,Variant Stock Berlin,Variant Stock Exported Berlin"


def _rows(number: int, title: str, stock: int) -> list[str]:
    return [f"thing-{one},{title} {one},T{one},{one}.50,{stock},{10 if one < OLD else 0}" for one in range(number)]


def test_a_killed_import_writes_each_product_once(
    process_environment: dict[str, str], settings: Settings, tmp_path: Path
) -> None:
    settings.EXPORT_DIR = str(tmp_path / "exports")
    StockLocationFactory.create(name="Berlin")
    applied(lines(HEADER, *_rows(OLD, "Thing", 10)))
    first = exported()
    actor = staff_actor(UserFactory(is_superuser=True))
    one = previewed(lines(HEADER, *_rows(NUMBER, "Object", 15)), actor=actor)
    job = start_apply(one, actor=actor)
    environment = {**process_environment, "EXPORT_DIR": settings.EXPORT_DIR}
    deadline = time.monotonic() + PATIENCE
    for _ in range(3):
        begun = _position(one)
        worker = subprocess.Popen([sys.executable, "-m", "tests.crash.slow_import"], cwd=ROOT, env=environment)
        while _position(one) == begun:
            assert worker.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.01)
        os.kill(worker.pid, signal.SIGKILL)
        worker.wait()
        let_leases_end()
    assert 0 < _position(one) < NUMBER
    run_bulk_worker()
    job.refresh_from_db()
    one.refresh_from_db()
    assert (job.status, job.message) == (JobStatus.DONE, "60 changed, 60 new")
    assert one.done == {"changed": OLD, "new": NUMBER - OLD}
    assert Product.objects.filter(title__startswith="Object").count() == NUMBER
    assert {*InventoryLevel.objects.values_list("stocked_quantity", flat=True)} == {15}
    assert StockMovement.objects.count() == OLD + NUMBER
    assert [*one.results.order_by("row").values_list("row", flat=True)] == [*range(2, NUMBER + 2)]
    Product.objects.filter(pk__in=one.results.filter(action="new").values("about")).delete()
    assert applied(before(one)).done == {"changed": OLD}
    assert exported() == first


def _position(one: Import) -> int:
    return Import.objects.values_list("position", flat=True).get(pk=one.pk)
