"""The import contracts of pyproject.toml cover every app, and each of them catches what it was written against."""

import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps

from tests.packages import PACKAGES, PROJECT, ROOT

CONTRACTS: dict[str, dict[str, Any]] = {each["name"]: each for each in PROJECT["tool"]["importlinter"]["contracts"]}
LINT = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"

FAULTS = [
    ("App layers: imports point downward", "kit/values/ids.py", "import catalog.models"),
    ("App layers: imports point downward", "catalog/errors.py", "import apikeys.errors"),
    ("App layers: imports point downward", "payments/apps.py", "import commerce.wiring"),
    ("App layers: imports point downward", "pictures/names.py", "import auth.errors"),
    ("Layers of commerce", "commerce/wiring.py", "import commerce.operations.monitoring.health"),
    ("Layers of commerce", "commerce/leftovers/__init__.py", ""),
    ("Layers of kit", "kit/safety/throttling/counters.py", "import kit.jobs.models"),
    ("Layers of kit", "kit/errors.py", "import kit.values.text"),
    ("Layers of kit", "kit/leftovers/__init__.py", ""),
    ("Layers of kit.reads", "kit/reads/sql/columns.py", "import kit.reads.plans.rows"),
    ("Layers of kit.reads", "kit/reads/leftovers/__init__.py", ""),
    ("Layers of kit.admin", "kit/admin/forms/verb_form.py", "import kit.admin.screens.verb_admin"),
    ("Layers of kit.admin", "kit/admin/leftovers/__init__.py", ""),
    ("Layers of kit.messages", "kit/messages/leftovers/__init__.py", ""),
    ("Layers of kit.messages", "kit/messages/outbox/names.py", "import kit.messages.mails.states"),
    ("Layers of kit.graphql", "kit/graphql/types/names.py", "import kit.graphql.fields.roots"),
    ("Layers of kit.rest", "kit/rest/requests/parsers.py", "import kit.rest.endpoint"),
    (
        "Layers of commerce.operations",
        "commerce/operations/server/addresses.py",
        "import commerce.operations.roles.roles",
    ),
    ("Inside an app: transports over models over states and errors", "catalog/errors.py", "import catalog.models"),
    ("Layers of auth", "auth/session_rows.py", "import auth.tokens.tokens"),
    ("Layers of shop", "shop/stores/store_name.py", "import shop.regions.regions"),
    ("Layers of catalog", "catalog/stock/stock_levels.py", "import catalog.products.labels"),
    (
        "Layers of the catalogue's screens",
        "catalog/admin/prices/amounts.py",
        "import catalog.admin.variants.variant_cells",
    ),
    ("Layers of carts", "carts/arithmetic/totals.py", "import carts.models"),
    ("Layers of payments", "payments/reasons/refund_reasons.py", "import payments.movements.refunding"),
    ("Layers of taxes", "taxes/providers/base.py", "import taxes.quotes.quote_requests"),
    ("Layers of giftcards", "giftcards/ledger/amounts.py", "import giftcards.cards.issuing"),
    ("Layers of fulfillment", "fulfillment/options/eligibility.py", "import fulfillment.editing.deletion"),
    ("Layers of orders", "orders/common/summary.py", "import orders.refunds.allowance"),
    (
        "Inside an app: verbs and models know no transport",
        "catalog/categories/category_tree.py",
        "import catalog.api.filters",
    ),
    (
        "Inside an app: the shop file is read by the operator's commands",
        "apikeys/tokens.py",
        "import catalog.shop_file",
    ),
    ("Inside api: routes over views over shapes", "catalog/api/serializers/__init__.py", "import catalog.api.viewsets"),
    ("Inside api: routes over views over shapes", "catalog/api/leftovers.py", ""),
    ("No rings", "customers/details.py", "import customers.profile"),
    ("No rings", "kit/domain/actor.py", "import kit.domain.base_model"),
    (
        "REST stays in the machinery and in api packages",
        "catalog/categories/category_tree.py",
        "import rest_framework",
    ),
    ("GraphQL's libraries stay in the machinery", "catalog/api/schema.py", "import graphene"),
    ("The server's queue knows neither shop nor framework", "kit/server/pool.py", "import django"),
    ("The server's queue is no part of what apps use", "kit/values/text.py", "import kit.server.lanes"),
    (
        "Stored responses and counted attempts know nothing of each other",
        "kit/safety/throttling/windows.py",
        "import kit.safety.idempotency.replay",
    ),
    ("Arithmetic needs no database", "carts/arithmetic/totals.py", "import django"),
    ("SQL by hand stays in the reads", "kit/rest/reads.py", "import kit.reads.sql.statements"),
    ("Settings are read through django.conf", "kit/values/ids.py", "import commerce.settings"),
    ("The product needs nothing of its tests", "kit/values/ids.py", "import hypothesis"),
]


pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What is said of each broken contract, of a copy of the product with all faults at once."""
    copy = tmp_path_factory.mktemp("house")
    shutil.copy(ROOT / "pyproject.toml", copy)
    for package in PACKAGES:
        shutil.copytree(ROOT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__"))
    for _, file, line in FAULTS:
        victim = copy / file
        victim.parent.mkdir(exist_ok=True)
        with victim.open("a") as text:
            text.write(f"\n{line}\n")
    lint = subprocess.run([sys.executable, "-c", LINT], cwd=copy, capture_output=True, text=True, check=False)
    assert lint.returncode == 1
    _, broken = lint.stdout.split("Broken contracts\n", 1)
    sections: dict[str, str] = {}
    lines = broken.splitlines()
    for title, underline in pairwise(lines):
        if underline and set(underline) == {"-"}:
            sections[title] = ""
        elif sections:
            sections[list(sections)[-1]] += f"{title}\n"
    return sections


@pytest.mark.parametrize(("contract", "file", "line"), FAULTS)
def test_a_planted_fault_breaks_its_contract(reported: dict[str, str], contract: str, file: str, line: str) -> None:
    module = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    if contract == "No rings":  # names any dependency that would have to go
        fault = f"No cycles are allowed in {module.rsplit('.', 1)[0]}."
    else:
        fault = f"{module} -> {line.removeprefix('import ')} (l." if line else module
    assert fault in reported[contract]


def test_every_contract_has_a_planted_fault() -> None:
    assert {contract for contract, _, _ in FAULTS} == set(CONTRACTS)


def test_no_app_is_outside_the_contracts() -> None:
    ours = {
        app.name for app in apps.get_app_configs() if ROOT in Path(app.path).parents and "site-packages" not in app.path
    }
    tops = {name for name in ours if "." not in name}
    assert set(PACKAGES) == tops | {"commerce", "kit"}
    shaped = tops - {"auth", "staff", "pictures"}
    assert set(CONTRACTS["Inside an app: transports over models over states and errors"]["containers"]) == shaped
    assert set(CONTRACTS["Inside api: routes over views over shapes"]["containers"]) == {
        f"{app}.api" for app in shaped | {"staff"} if (ROOT / app / "api").exists()
    }
    layers = set(" | ".join(CONTRACTS["App layers: imports point downward"]["layers"]).split(" | "))
    assert set(PACKAGES) == layers
    roomy = {name.removeprefix("Layers of ") for name in CONTRACTS if name.startswith("Layers of ")}
    assert shaped - {"customers", "apikeys"} <= roomy  # those two have no rooms yet
