"""The committed exchanges equal the original recordings, where these are present."""

import json
from typing import Any

import pytest

from tests.recorded.exchanges import exchanges
from tests.shared_data import RECORDED, needs

pytestmark = pytest.mark.once

PLACES = {"payments": RECORDED, "giftcards": RECORDED, "orders": RECORDED / "orders"}
WHOLE = {"payments": (), "giftcards": ("gc_*", "sca_*"), "orders": ("admin_*",)}
"""What is kept of these is all that was recorded."""
UNUSED = ("race0", "race1", "race2", "claim_gift_card")


def kept(exchange: dict[str, Any]) -> dict[str, Any]:
    """What is kept of a recorded exchange: not the values of its headers, which are credentials."""
    left = {name: value for name, value in exchange.items() if name not in UNUSED}
    if "headers" in left.get("request", {}):
        left["request"] = {**left["request"], "headers": dict.fromkeys(left["request"]["headers"], "")}
    return left


@needs(RECORDED)
@pytest.mark.parametrize("app", PLACES)
def test_they_are_those_recorded(app: str) -> None:
    names = {file.stem for pattern in WHOLE[app] for file in PLACES[app].glob(f"{pattern}.json")} | set(exchanges(app))
    recorded = {name: json.loads((PLACES[app] / f"{name}.json").read_text()) for name in names}
    assert exchanges(app) == {name: kept(exchange) for name, exchange in recorded.items()}


@pytest.mark.parametrize("app", PLACES)
def test_they_hold_no_credentials(app: str) -> None:
    for exchange in exchanges(app).values():
        assert not any(exchange.get("request", {}).get("headers", {}).values())
