"""The import contracts of pyproject.toml cover every app, and each of them catches what it was written against."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps

from tests.packages import PACKAGES, PROJECT, ROOT

CONTRACTS: dict[str, dict[str, Any]] = {each["name"]: each for each in PROJECT["tool"]["importlinter"]["contracts"]}
LINT = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"

FAULTS = [
    ("App layers: imports point downward", "commerce/kit/core/ids.py", "import catalog.models"),
    ("App layers: imports point downward", "catalog/errors.py", "import apikeys.errors"),
    ("App layers: imports point downward", "payments/errors.py", "import commerce.wiring"),
    ("App layers: imports point downward", "commerce/wiring.py", "import commerce.operations.health"),
    (
        "Layers of commerce.kit",
        "commerce/kit/throttling/counters.py",
        "import commerce.kit.jobs.models",
    ),
    ("Layers of commerce.kit", "commerce/kit/leftovers/__init__.py", ""),
    ("Layers of the commerce package", "commerce/leftovers/__init__.py", ""),
    ("Inside an app: transports over models over states and errors", "catalog/errors.py", "import catalog.models"),
    ("Inside an app: verbs and models know no transport", "catalog/category_tree.py", "import catalog.api.filters"),
    (
        "Inside an app: the shop file is read by the operator's commands",
        "apikeys/tokens.py",
        "import catalog.shop_file",
    ),
    ("Inside api: routes over views over shapes", "catalog/api/serializers.py", "import catalog.api.viewsets"),
    ("Inside api: routes over views over shapes", "catalog/api/leftovers.py", ""),
    ("No rings", "catalog/models.py", "import catalog.category_tree"),
    ("REST stays in the machinery and in api packages", "catalog/category_tree.py", "import rest_framework.fields"),
    ("GraphQL's libraries stay in the machinery", "catalog/api/schema.py", "import graphene"),
    ("The front knows neither shop nor framework", "commerce/kit/front/pool.py", "import django.db"),
    ("SQL by hand stays in the projection", "commerce/kit/api/reads.py", "import commerce.kit.projection.statements"),
    ("Settings are read through django.conf", "commerce/kit/core/ids.py", "import commerce.settings"),
    ("The product needs nothing of its tests", "commerce/kit/core/ids.py", "import hypothesis"),
]


pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The product's source, to plant faults in."""
    directory = tmp_path_factory.mktemp("house")
    shutil.copy(ROOT / "pyproject.toml", directory)
    for package in PACKAGES:
        shutil.copytree(ROOT / package, directory / package, ignore=shutil.ignore_patterns("__pycache__"))
    return directory


@pytest.mark.parametrize(("contract", "file", "line"), FAULTS)
def test_a_planted_fault_breaks_its_contract(copy: Path, contract: str, file: str, line: str) -> None:
    victim = copy / file
    before = victim.read_text() if victim.exists() else None
    victim.parent.mkdir(exist_ok=True)
    victim.write_text(f"{before or ''}\n{line}\n")
    try:
        reported = subprocess.run([sys.executable, "-c", LINT], cwd=copy, capture_output=True, text=True, check=False)
    finally:
        if before is None:
            victim.unlink()
        else:
            victim.write_text(before)
    assert reported.returncode == 1
    assert f"{contract} BROKEN" in reported.stdout


def test_every_contract_has_a_planted_fault() -> None:
    assert {contract for contract, _, _ in FAULTS} == set(CONTRACTS)


def test_no_app_is_outside_the_contracts() -> None:
    ours = {
        app.name for app in apps.get_app_configs() if ROOT in Path(app.path).parents and "site-packages" not in app.path
    }
    assert {name.partition(".")[0] for name in ours} == set(PACKAGES)
    business = {name for name in ours if not name.startswith("commerce.")}
    shaped = business | {"commerce.shop"}  # stands in the house's lower half, and is built like those above
    assert set(CONTRACTS["Inside an app: transports over models over states and errors"]["containers"]) == shaped
    assert set(CONTRACTS["Inside api: routes over views over shapes"]["containers"]) == {
        f"{app}.api" for app in shaped if (ROOT / app.replace(".", "/") / "api").exists()
    }
    layers = " | ".join(CONTRACTS["App layers: imports point downward"]["layers"]).split(" | ")
    kit = " | ".join(CONTRACTS["Layers of commerce.kit"]["layers"]).split(" | ")
    assert ours <= set(layers) | {f"commerce.kit.{package}" for package in kit}
