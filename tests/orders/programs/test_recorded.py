"""Orders and fulfillments as a running peer has answered: where our answers differ, and why."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.contract.conftest import admin

RECORDED = Path(__file__).parents[4] / "shared" / "recorded" / "orders"
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(not RECORDED.exists(), reason="needs ../shared/recorded"),
]

__all__ = ["admin"]


def recorded(name: str) -> dict[str, Any]:
    return dict(json.loads((RECORDED / f"{name}.json").read_text()))


def keys(value: Any, path: str = "") -> Iterator[str]:
    """Every key, as a path; of lists, those of the first."""
    if isinstance(value, list) and value:
        yield from keys(value[0], path)
    elif isinstance(value, dict):
        for name, each in value.items():
            below = f"{path}.{name}" if path else name
            yield below
            if name not in ("metadata", "data"):
                yield from keys(each, below)


def differences(ours: Any, theirs: Any) -> tuple[set[str], set[str]]:
    """What only we have, and what only they have, without what is below of it."""
    own, other = set(keys(ours)), set(keys(theirs))
    return _outermost(own - other), _outermost(other - own)


def _outermost(paths: set[str]) -> set[str]:
    return {path for path in paths if path.rpartition(".")[0] not in paths}
