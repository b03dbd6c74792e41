"""The unmodified official SDK calls each of its admin methods once, on the rows of a shop, at the real web server.

docs/admin-api.md shows what came of each, and README counts them: `make sdk-methods` writes both.
"""

import re

import orjson
import pytest

from tests.concurrency.running_server import RunningServer
from tests.contract.routes import ADMIN
from tests.sdk import node
from tests.sdk.called_rows import called_rows
from tests.sdk.method_table import ABSENT, WORKS, stale_pages

pytestmark = [pytest.mark.once, pytest.mark.django_db(transaction=True), node.needs_sdk]

STATED = {
    "plugin.list": "The list is always empty",
    "product.linkOptions": "400: Options belong to one product. Use `product.update` or `productOption.create`",
    "productOption.create": "400: Options belong to one product. Send its `product_id`, too",
}
"""Differences that the shop makes on purpose."""
ROW_ID = re.compile(r"\b[a-z]+_[0-9A-HJKMNP-TV-Z]{26}\b")


def test_the_guide_says_which_methods_work(server: RunningServer) -> None:
    calls = node.run("every_method.mjs", server, ROWS=orjson.dumps(called_rows()).decode())
    outcomes = {name: outcome(name, **call) for name, call in calls.items()}
    assert WORKS not in {outcomes[name] for name in STATED}
    assert stale_pages(outcomes) == [], "`make sdk-methods` writes what the SDK's calls gave"


def outcome(name: str, *, route: str, lacks: list[str], status: int | None = None, message: str = "") -> str:
    """What came of the call: it works, the shop has no such route, or how it differs."""
    assert status is None or status < 500, (name, message)
    if route not in ADMIN and status in (404, 405, 415):
        return ABSENT
    if status is None and not lacks:
        return WORKS
    if name in STATED:
        return STATED[name]
    refusal = f"{status}: {ROW_ID.sub('…', message)}" if status else ""
    return refusal or f"The response lacks {', '.join(f'`{key}`' for key in lacks)}"
