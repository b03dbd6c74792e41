"""Refusals of the front look like all other errors of the shop."""

from typing import Any

import orjson
import pytest
from django.test import RequestFactory
from pytest_django import Settings

from commerce.operations.server.refused_requests import answer_to
from kit.server.refusals import Refused, busy

pytestmark = pytest.mark.once


def answered(refused: Refused, **headers: str) -> tuple[str, dict[str, str], Any]:
    environ = RequestFactory(headers={"Host": "testserver", **headers}).get("/store/regions").environ
    heard: list[Any] = []
    content = b"".join(answer_to(refused)(environ, lambda status, fields, error=None: heard.extend((status, fields))))
    status, fields = heard
    return status, {name.lower(): value for name, value in fields}, orjson.loads(content)


def test_a_busy_server_says_when_to_come_again() -> None:
    status, headers, body = answered(busy())
    assert status == "503 Service Unavailable"
    assert headers["retry-after"] == "1"
    assert headers["content-type"] == "application/json"
    assert int(headers["content-length"]) == len(orjson.dumps(body))
    assert body == {
        "type": "unavailable",
        "message": "The server is busy. You may retry the request with its Idempotency-Key",
    }


@pytest.mark.parametrize(
    ("status", "kind"), [(408, "unavailable"), (503, "unavailable"), (413, "invalid_data"), (400, "invalid_data")]
)
def test_each_status_has_its_type(status: int, kind: str) -> None:
    line, headers, body = answered(Refused(status, "Because"))
    assert line.startswith(f"{status} ")
    assert body == {"type": kind, "message": "Because"}
    assert "retry-after" not in headers


def test_it_has_an_id_of_its_own_or_that_of_a_trusted_proxy(settings: Settings) -> None:
    ids = {answered(busy(), **{"X-Request-Id": "given"})[1]["x-request-id"] for _ in range(2)}
    assert len(ids) == 2
    assert "given" not in ids
    settings.TRUSTED_PROXIES = 1
    assert answered(busy(), **{"X-Request-Id": "given"})[1]["x-request-id"] == "given"


def test_a_page_of_an_allowed_origin_may_read_it() -> None:
    headers = answered(busy(), Origin="http://localhost:3000")[1]
    assert headers["access-control-allow-origin"] == "http://localhost:3000"
    assert "Retry-After" in headers["access-control-expose-headers"]
    assert "access-control-allow-origin" not in answered(busy(), Origin="https://evil.example")[1]
