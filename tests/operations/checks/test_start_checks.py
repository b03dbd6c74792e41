"""`serve` refuses what keeps a shop from serving, and names the variable and its correction."""

import socket
import subprocess

import pytest
from django.core.checks import run_checks
from pytest_django import Settings

from payments.providers.system import SystemProvider
from tests.architecture.test_settings import STRONG
from tests.operations.server.test_serve import run_serve
from tests.ports import free_port

pytestmark = pytest.mark.every(3)

HOSTS = "Set ALLOWED_HOSTS=shop.example: the names that clients use, without scheme and port, comma-separated."


def found(*, deploy: bool = True) -> list[tuple[str, str | None]]:
    reports = run_checks(include_deployment_checks=deploy)
    return [(report.msg, report.hint) for report in reports if report.id in ("commerce.E002", "commerce.E003")]


@pytest.mark.once
@pytest.mark.django_db
@pytest.mark.parametrize(
    "host", ["*", "*.shop.example", "https://shop.example", "shop.example:443", "shop example", "münchen.example"]
)
def test_hosts_are_names(settings: Settings, host: str) -> None:
    settings.PRODUCTION, settings.ALLOWED_HOSTS = True, [".shop.example", "192.0.2.7", "[::1]", host]
    assert found() == [(f"ALLOWED_HOSTS: '{host}' is not a host name.", HOSTS)]
    settings.ALLOWED_HOSTS = []
    assert found() == [("ALLOWED_HOSTS is not set: every request is refused.", HOSTS)]
    assert found(deploy=False) == []
    settings.PRODUCTION = False
    assert found() == []


class NoProvider:
    pass


@pytest.mark.once
@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("nowhere.Nothing", "which cannot be imported: ModuleNotFoundError(\"No module named 'nowhere'\")."),
        ("plain", 'which cannot be imported: ImportError("plain doesn\'t look like a module path").'),
        (f"{__name__}.NoProvider", "which is not a subclass of payments.providers.base.Provider."),
        (f"{__name__}.found", "which is not a subclass of payments.providers.base.Provider."),
    ],
)
def test_providers_can_be_imported_and_are_providers(settings: Settings, name: str, fault: str) -> None:
    settings.PAYMENT_PROVIDERS = {"pp_mine": name, "pp_fine": f"{SystemProvider.__module__}.SystemProvider"}
    hint = "Correct the entry of PAYMENT_PROVIDERS, id=dotted.name of a class, or install what the class imports."
    assert found(deploy=False) == [(f"PAYMENT_PROVIDERS names {name} for pp_mine, {fault}", hint)]


def refused(environment: dict[str, str], **given: str) -> subprocess.CompletedProcess[str]:
    production = {**environment, **STRONG, "COMMERCE_ENV": "production", **given}
    return run_serve(1, production)


@pytest.mark.once
def test_serve_refuses_them_in_production(process_environment: dict[str, str]) -> None:
    done = refused(process_environment, ALLOWED_HOSTS="*")
    assert done.returncode == 1
    assert f"?: (commerce.E002) ALLOWED_HOSTS: '*' is not a host name.\n\tHINT: {HOSTS}\n" in done.stderr
    assert "Traceback" not in done.stderr
    assert "security.W005" not in done.stderr
    assert "security.W021" not in done.stderr


@pytest.mark.once
def test_serve_refuses_a_provider_that_is_not_there_also_in_development(process_environment: dict[str, str]) -> None:
    done = run_serve(1, {**process_environment, "FULFILLMENT_PROVIDERS": "parcels=nowhere.Parcels"})
    assert done.returncode == 1
    assert "(commerce.E003) FULFILLMENT_PROVIDERS names nowhere.Parcels for parcels, which cannot be" in done.stderr


@pytest.mark.once
def test_serve_refuses_a_tax_provider_that_is_none(process_environment: dict[str, str]) -> None:
    done = run_serve(1, {**process_environment, "TAX_PROVIDERS": "txp=taxes.models.TaxRate"})
    assert done.returncode == 1
    assert "(commerce.E003) TAX_PROVIDERS names taxes.models.TaxRate for txp, which is not a subclass" in done.stderr


@pytest.mark.once
def test_a_metrics_port_that_is_taken_or_the_servers_own_is_refused(process_environment: dict[str, str]) -> None:
    port, metrics_port = free_port(), free_port()
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", metrics_port))
        holder.listen()
        done = run_serve(port, {**process_environment, "METRICS_PORT": str(metrics_port)})
    assert (done.returncode, done.stderr) == (
        1,
        f"CommandError: METRICS_PORT: Cannot listen on 127.0.0.1:{metrics_port}: Address already in use.\n",
    )
    done = run_serve(port, {**process_environment, "METRICS_PORT": str(port)})
    assert (done.returncode, done.stderr) == (
        1,
        f"CommandError: METRICS_PORT is {port}, the port of the server: choose another for one of them.\n",
    )


@pytest.mark.once
@pytest.mark.parametrize("port", [0, 65536, -1])
def test_a_port_is_a_port(process_environment: dict[str, str], port: int) -> None:
    done = run_serve(port, process_environment)
    assert done.returncode == 2
    assert done.stderr.endswith(f"argument --port: a port is a number from 1 to 65535, not '{port}'\n")
