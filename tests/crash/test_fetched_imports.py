"""The bulk worker is killed while it fetches pictures for an import: none is there twice, and none is lost."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from catalog.models import ProductImage
from kit.jobs.states import JobStatus
from kit.spreadsheets.jobs import start_apply
from pictures.fetching import AT_ONCE, copies_of
from pictures.models import Picture, PictureSource
from staff.actors import staff_actor
from tests.catalog.spreadsheets.importing import lines, previewed
from tests.factories.staff import UserFactory
from tests.kit.jobs.bulk_worker import let_leases_end, run_bulk_worker
from tests.packages import ROOT
from tests.pictures.host import Handler, Host, serving

pytestmark = [pytest.mark.once, pytest.mark.django_db(transaction=True)]

PATIENCE = 120.0
NUMBER, KILLS = 20, 2


@pytest.fixture
def host(settings: Settings) -> Iterator[Host]:
    """At an address of this machine, each of whose answers takes a while."""
    host = Host()
    with serving(host) as (name, port):
        host.origin = f"http://{name}:{port}"
        settings.WEBHOOKS_TO_LOCAL_ADDRESSES = True
        yield host


def test_a_killed_import_fetches_each_picture_once(
    host: Host, process_environment: dict[str, str], settings: Settings, tmp_path: Path
) -> None:
    folders = {name: str(tmp_path / name.lower()) for name in ("EXPORT_DIR", "UPLOAD_DIR", "MEDIA_ROOT")}
    settings.EXPORT_DIR, settings.UPLOAD_DIR, settings.MEDIA_ROOT = folders.values()
    addresses = host.has(*(f"/{number}.png" for number in range(NUMBER)))
    slow_down(host)
    rows = [f"thing-{number},Thing {number},{address}" for number, address in enumerate(addresses)]
    actor = staff_actor(UserFactory(is_superuser=True))
    file = lines("Product Handle,Product Title,Product Image 1 Url", *rows)
    job = start_apply(previewed(file, actor=actor, pictures="fetch"), actor=actor)
    environment = {**process_environment, **folders, "COMMERCE_ENV": "development", "WEBHOOKS_TO_LOCAL_ADDRESSES": "1"}
    for kill in range(1, KILLS + 1):
        worker = subprocess.Popen([sys.executable, "-m", "tests.crash.slow_import"], cwd=ROOT, env=environment)
        deadline = time.monotonic() + PATIENCE
        while PictureSource.objects.count() < AT_ONCE * kill - 2:  # in the midst of keeping four
            assert worker.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.01)
        os.kill(worker.pid, signal.SIGKILL)
        worker.wait()
        let_leases_end()
    assert 0 < PictureSource.objects.count() < NUMBER

    run_bulk_worker()

    job.refresh_from_db()
    assert (job.status, job.message) == (JobStatus.DONE, f"{NUMBER} new")
    assert (Picture.objects.count(), PictureSource.objects.count()) == (NUMBER, NUMBER)
    assert {*Picture.objects.values_list("status", flat=True)} == {"ready"}
    copies = copies_of(addresses)
    named = ProductImage.objects.order_by("product__pk").values_list("product__handle", "url")
    assert dict(named) == {f"thing-{number}": copies[address] for number, address in enumerate(addresses)}
    again = Counter(host.asked)
    assert sum(again.values()) - NUMBER <= KILLS * AT_ONCE, again
    left = [path.suffix for path in (tmp_path / "upload_dir").iterdir()]
    assert ({*left} <= {".upload"}, len(left) <= KILLS * AT_ONCE) == (True, True)


def slow_down(host: Host) -> None:
    for path, content in host.answers.items():

        def answer(handler: Handler, content: object = content) -> None:
            time.sleep(0.2)
            handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n%b" % content)

        host.answers[path] = answer
