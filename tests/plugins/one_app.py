"""With TEST_APP=carts, as in `make quick`, only what calls the app's routes or imports it runs of the contract."""

import os
import re
from pathlib import Path

import pytest

from tests.packages import ROOT

CONTRACT = ROOT / "tests" / "contract"


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Files that neither walk the routes nor import the app."""
    if not app() or collection_path.parent != CONTRACT or not collection_path.name.startswith("test_"):
        return None
    text = collection_path.read_text()
    return None if '"route"' in text or imports_app(text) else True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests of other apps' routes."""
    if others := {item for item in items if app() and CONTRACT in item.path.parents and _calls_another(item)}:
        config.hook.pytest_deselected(items=list(others))
        items[:] = [item for item in items if item not in others]


def app() -> str:
    """Its package, such as `carts` or `kit.reads`; empty where all tests run."""
    return os.environ.get("TEST_APP", "").replace("/", ".")


def imports_app(text: str) -> bool:
    return bool(re.search(rf"^(from|import) {re.escape(app())}\b", text, re.MULTILINE))


def is_of_app(endpoint: type) -> bool:
    """Where all tests run, each endpoint is."""
    return not app() or f"{endpoint.__module__}.".startswith(f"{app()}.")


def _calls_another(item: pytest.Item) -> bool:
    callspec = getattr(item, "callspec", None)
    if not callspec or "route" not in callspec.params:
        return False
    route = callspec.params["route"]  # pytest's NOTSET where a test is of none of the app's routes
    return not hasattr(route, "endpoint") or not is_of_app(route.endpoint)
