"""A client that is generated from the API document, as integrators do, imports, and its calls reach the routes."""

import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from django.conf import settings
from pytest_django.live_server_helper import LiveServer

from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.carts import selling_region
from tests.factories.orders import order
from tests.factories.staff import PASSWORD, UserFactory

pytestmark = [pytest.mark.every(4), pytest.mark.once, pytest.mark.django_db(transaction=True)]

DOCUMENT = Path(settings.BASE_DIR) / "commerce" / "openapi.yaml"
NAME = "generated_shop_client"
CONFIG = """
post_hooks: []
content_type_overrides:
  application/pdf: application/octet-stream
"""
"""It would format the files, and take PDFs for no files."""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The generated package, without a warning of the generator."""
    place = tmp_path_factory.mktemp("client")
    (place / "config.yaml").write_text(CONFIG)
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none", "--fail-on-warning"]
    options = ["--path", str(DOCUMENT), "--output-path", str(place / NAME), "--config", str(place / "config.yaml")]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(place))
        package = importlib.import_module(NAME)
        importlib.import_module(f"{NAME}.models")
        return package


def called(route: str, **given: Any) -> Any:
    """What the route answers, as the client reads it."""
    answer = importlib.import_module(f"{NAME}.api.{route}").sync_detailed(**given)
    assert answer.status_code == 200, answer.content
    return answer.parsed


def test_every_module_of_it_imports(client: ModuleType) -> None:
    modules = [module.name for module in pkgutil.walk_packages(client.__path__, f"{NAME}.")]
    for name in modules:
        importlib.import_module(name)
    assert len(modules) > 500


def test_a_storefront_reads_regions(client: ModuleType, live_server: LiveServer) -> None:
    region = selling_region(name="Northern")
    with client.Client(live_server.url, headers={"x-publishable-api-key": publishable_key().token}) as caller:
        found = called("regions.list_store_regions", client=caller)
    assert [(each.id, each.name, each.currency_code) for each in found.regions] == [(region.pk, "Northern", "usd")]


def test_a_user_signs_in(client: ModuleType, live_server: LiveServer) -> None:
    user = UserFactory()
    body = client.models.CredentialsInputRequest(email=user.email, password=PASSWORD)
    with client.Client(live_server.url) as caller:
        given = called("authentication.create_auth_emailpass", actor_type="user", client=caller, body=body)
    assert given.token.count(".") == 2


def test_a_program_reads_orders_and_adds_a_note(client: ModuleType, live_server: LiveServer) -> None:
    made, key = order(), secret_key(UserFactory(is_superuser=True))
    body = client.models.OrderNoteInputRequest(text="Called back")
    with client.AuthenticatedClient(live_server.url, token=key.token) as caller:
        (shown,) = called("orders.list_admin_orders", client=caller, limit=1).orders
        called("orders.create_admin_orders_notes", id=made.pk, client=caller, body=body)
    assert (shown.id, shown.display_id, shown.total) == (made.pk, made.display_id, float(made.total))
    assert made.notes.get().text == "Called back"
