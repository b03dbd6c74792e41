"""commerce/wiring.py and admin_site.py register every hook that lower packages call; no code is loaded by its name."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from carts.pricing.cart_steps import CART_STEPS, CartSteps
from commerce import admin_site
from kit.domain import hooks
from kit.domain.hooks import Wired
from tests.packages import ROOT, sources

pytestmark = pytest.mark.once

SOURCES = [path.relative_to(ROOT) for path in sources()]
FORGOTTEN = 'from kit.domain.hooks import Wired; Wired("the wheel"); import django; django.setup()'
LOADERS = {"import_string", "import_module", "__import__"}


def nodes(path: Path) -> Iterator[ast.AST]:
    return ast.walk(ast.parse((ROOT / path).read_text()))


def test_startup_fails_without_an_implementation() -> None:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "commerce.settings", "COMMERCE_ENV": "development"}
    start = [sys.executable, "-c", FORGOTTEN]
    stopped = subprocess.run(start, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert stopped.returncode == 1
    assert stopped.stderr.splitlines()[-1] == (
        "django.core.exceptions.ImproperlyConfigured: commerce/wiring.py does not register the wheel"
    )


@pytest.mark.parametrize("hook", hooks._hooks, ids=lambda hook: hook.purpose)
def test_each_hook_is_required_and_registered_once(hook: Wired[object], monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the module that imports the hook."""
    module = "admin_site" if hook in vars(admin_site).values() else "wiring"
    with pytest.raises(ImproperlyConfigured, match=f"^commerce/{module}.py registers {hook.purpose} twice$"):
        hook.register(hook.get())
    monkeypatch.delattr(hook, "_value")
    with pytest.raises(ImproperlyConfigured, match=f"^commerce/{module}.py does not register {hook.purpose}$"):
        hooks.require_all()


@pytest.mark.parametrize("step", ["provided_taxes", "shipping_methods", "credit_lines", "payment_collection"])
def test_a_cart_has_every_step(step: str) -> None:
    steps = CART_STEPS.get()
    others = {name: getattr(steps, name) for name in CartSteps.__dataclass_fields__ if name != step}
    assert len(others) == 3
    with pytest.raises(TypeError, match=f"missing 1 required keyword-only argument: '{step}'"):
        CartSteps(**others)


ONLY_WITH_METRICS = {
    Path("kit/database/measured_postgresql.py"),
    Path("kit/observability/metering.py"),
    Path("kit/rest/middleware/middleware.py"),
    Path("commerce/operations/management/commands/serve.py"),
    Path("commerce/operations/management/commands/work.py"),
}
"""They import the metrics and their library where METRICS_PORT is set: without it, these cost no memory."""

ONLY_WITH_POSTGRESQL = {Path("kit/environment/database_environment.py")}
ONLY_WITH_REDIS = {
    Path("auth/sessions/sessions.py"),
    Path("kit/safety/throttling/counters.py"),
    Path("commerce/operations/tasks/background_workers.py"),
    Path("commerce/operations/monitoring/metrics_server.py"),
    Path("commerce/operations/monitoring/queue_ages.py"),
    Path("commerce/operations/checks/redis_check.py"),
}
"""They import what asks Redis where a switch such as TASKS_IN_REDIS is set: its library is an extra."""

ONLY_FOR_BULK_ACTIONS = {Path("commerce/wiring.py")}
"""It imports the admin site where a job needs it: the other background work saves its memory."""

ONLY_FOR_THE_DOCUMENT = {Path("kit/rest/openapi/pages.py")}
"""It imports what generates the OpenAPI document when that is asked for."""

ONLY_WITHIN_LIMITS = {Path("orders/invoices/printing/pdf_program.py")}
"""A program, which imports WeasyPrint once its own memory and time are limited."""

ONLY_FOR_SHEETS = {Path("kit/spreadsheets/formats/sheets.py")}
"""openpyxl, which takes 10 MB, and which only few processes need."""
ONLY_FOR_OTHER_SCRIPTS = {Path("kit/values/email_address.py")}
"""It imports the tables of IDNA for a domain that is not in ASCII."""


def test_one_app_wires_and_only_there_is_an_import_inside_a_function() -> None:
    functions = [(path, node) for path in SOURCES for node in nodes(path) if isinstance(node, ast.FunctionDef)]
    late = {
        path
        for path, function in functions
        if any(isinstance(node, ast.Import | ast.ImportFrom) for node in ast.walk(function))
    }
    ready = [path for path in late if path.name == "apps.py"]
    assert ready == [Path("commerce/operations/apps.py")]
    optional = ONLY_WITH_METRICS | ONLY_WITH_POSTGRESQL | ONLY_WITH_REDIS
    others = (
        ONLY_FOR_BULK_ACTIONS | ONLY_FOR_THE_DOCUMENT | ONLY_FOR_OTHER_SCRIPTS | ONLY_WITHIN_LIMITS | ONLY_FOR_SHEETS
    )
    assert late == {*ready, *optional, *others}


def test_names_become_code_only_where_operators_write_them() -> None:
    """Providers and a search engine are named by the environment, and so is the application behind the front.

    Two modules name code of ours or a library's, which is loaded only where it is needed.
    """
    loading = {
        path
        for path in SOURCES
        if any(isinstance(node, ast.Name | ast.Attribute | ast.alias) and LOADERS & named(node) for node in nodes(path))
    }
    by_operators = {
        Path("commerce/rsgi.py"),
        Path("shop/providers/provider_code.py"),
        Path("kit/search/engines.py"),
    }
    late = {Path("kit/environment/database_environment.py"), Path("kit/graphql/types/lazy_unidecode.py")}
    assert loading == by_operators | late


def named(node: ast.Name | ast.Attribute | ast.alias) -> set[str]:
    """The last part of each name that the node uses."""
    match node:
        case ast.Name():
            return {node.id}
        case ast.Attribute():
            return {node.attr}
        case ast.alias():
            return {node.name}
