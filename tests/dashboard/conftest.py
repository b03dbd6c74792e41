"""The official dashboard and the demo shop on one origin, behind nginx, as deploy/dashboard.conf serves it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import LazySettings
from pytest_django.live_server_helper import LiveServer

from staff.models import User
from tests.browser.chromium import Chromium
from tests.browser.conftest import chromium
from tests.browser.day.shop import open_shop
from tests.dashboard.clerk import Clerk
from tests.deploy.nginx import running
from tests.packages import ROOT
from tests.ports import free_port

__all__ = ["chromium"]

BUILT = Path(__file__).with_name("built")
EMAIL, PASSWORD = "ada@quayside.example", "lapsang and biscuits"
_SITE = """
server {{
    listen 127.0.0.1:{port};
    include {folder}/dashboard.conf;
    location / {{
        proxy_pass http://127.0.0.1:{server_port};
        proxy_set_header Host $http_host;
        client_max_body_size 2m;
    }}
}}
"""


@pytest.fixture
def site(live_server: LiveServer, settings: LazySettings, tmp_path: Path) -> Iterator[str]:
    """The address of both, with the data of `make demo`, and a member of staff who may do everything."""
    assert (BUILT / "app" / "index.html").exists(), "run `make test-dashboard`, which builds it"
    open_shop()
    User.objects.create_superuser(EMAIL, PASSWORD, first_name="Ada", last_name="Quay")
    port, folder = free_port(), tmp_path / "nginx"
    folder.mkdir()
    snippet = (ROOT / "deploy" / "dashboard.conf").read_text()
    assert snippet.count("/srv/dashboard;") == 2
    (folder / "dashboard.conf").write_text(snippet.replace("/srv/dashboard;", f"{BUILT};"))
    server_port = live_server.url.rpartition(":")[2]
    (folder / "shop.conf").write_text(_SITE.format(port=port, folder=folder, server_port=server_port))
    settings.PUBLIC_URL = address = f"http://127.0.0.1:{port}"
    with running(folder, port):
        yield address


@pytest.fixture
def clerk(chromium: Chromium, site: str) -> Iterator[Clerk]:
    """Somebody who has signed in by the dashboard's own form. PICTURES names a folder for pictures of the screens."""
    pictures = os.environ.get("PICTURES")
    with chromium.page() as page:
        clerk = Clerk(page, site, Path(pictures) if pictures else None)
        clerk.open("login")
        clerk.enter("email", EMAIL)
        clerk.enter("password", PASSWORD)
        clerk.click("Continue with Email")
        clerk.until("Orders")
        assert {fault.split()[0] for fault in clerk.faults()} <= {"401"}  # it asks who is there before somebody is
        yield clerk
        assert clerk.faults() == []
