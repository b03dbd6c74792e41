"""The layers around a request: its id and log line, and what only the browser's pages get."""

import logging
import re
from collections.abc import Callable
from typing import ClassVar

import pytest
import structlog
from django.contrib import admin
from django.core.signals import got_request_exception
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import include, path
from pytest_django import Settings

from kit.observability.current_request import current_request
from tests.docs.pages import OPERATORS, section

OURS = re.compile(r"[0-9a-f]{16}-[1-9][0-9]*")


def fails(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("the shelf fell down")


def answers(request: HttpRequest) -> HttpResponse:
    return HttpResponse("done")


class Looks:
    """A middleware that sees each view."""

    seen: ClassVar[list[str]] = []

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *view: object) -> None:
        self.seen.append(request.resolver_match.route)


urlpatterns = [
    path("", include("commerce.operations.urls")),
    path("admin/", admin.site.urls),
    path("store/fails", fails),
    path("store/answers", answers),
    path("page", answers),
]
pytestmark = pytest.mark.urls(__name__)


def test_every_answer_carries_an_id_and_ids_differ(client: Client) -> None:
    first, second = client.get("/health/live"), client.get("/store/answers")
    assert OURS.fullmatch(first["X-Request-Id"])
    assert OURS.fullmatch(second["X-Request-Id"])
    assert first["X-Request-Id"] != second["X-Request-Id"]


def test_an_unknown_caller_cannot_choose_the_id(client: Client) -> None:
    assert client.get("/health/live", headers={"X-Request-Id": "mine"})["X-Request-Id"] != "mine"


def test_an_answered_request_is_forgotten(client: Client) -> None:
    """It would keep its connection open."""
    assert client.get("/store/answers").status_code == 200
    assert current_request.get() is None
    client.raise_request_exception = False
    assert client.get("/store/fails").status_code == 500
    assert current_request.get() is None


@pytest.mark.parametrize("given", ["mine", "a" * 64, "!~"])
def test_behind_our_proxy_its_id_is_kept(client: Client, settings: Settings, given: str) -> None:
    settings.TRUSTED_PROXIES = 1
    assert client.get("/health/live", headers={"X-Request-Id": given})["X-Request-Id"] == given


@pytest.mark.parametrize("given", ["", "a" * 65, "two words", "tab\there", "zeile\nzwei", "ü"])
def test_a_malformed_id_is_replaced_even_behind_our_proxy(client: Client, settings: Settings, given: str) -> None:
    settings.TRUSTED_PROXIES = 1
    assert OURS.fullmatch(client.get("/health/live", headers={"X-Request-Id": given})["X-Request-Id"])


def test_one_line_tells_of_a_request_and_leaves_out_its_query(
    client: Client,
) -> None:
    with structlog.testing.capture_logs(processors=[structlog.contextvars.merge_contextvars]) as lines:
        answer = client.get("/store/answers?q=private")
    (line,) = lines
    assert line.pop("duration_ms") > 0
    assert line == {
        "event": "request",
        "log_level": "info",
        "method": "GET",
        "path": "/store/answers",
        "route": "store/answers",
        "status": 200,
        "request_id": answer["X-Request-Id"],
    }
    rows = re.findall(r"(?m)^\| (`.+?`) \|", section(OPERATORS / "monitoring.md", "## Logs"))
    explained = set(re.findall(r"\w+", " ".join(rows)))
    assert {*line, "duration_ms"} == explained | {"event", "log_level", "request_id"}


def test_a_failure_is_logged_with_its_traceback_under_the_id_of_the_answer(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    client.raise_request_exception = False
    with structlog.testing.capture_logs(processors=[structlog.contextvars.merge_contextvars]) as lines:
        answer = client.get("/store/fails")
    assert answer.status_code == 500
    assert "shelf" not in answer.content.decode()
    assert [(line["status"], line["request_id"]) for line in lines] == [(500, answer["X-Request-Id"])]
    (failure,) = (record for record in caplog.records if record.name == "django.request")
    (ours,) = (handler for handler in logging.getLogger().handlers if handler.name == "stderr")
    text = ours.format(failure)
    assert "the shelf fell down" in text
    assert answer["X-Request-Id"] in text


def test_each_failure_of_a_route_is_signalled(client: Client) -> None:
    """The second time, the request goes straight to the view."""
    client.raise_request_exception = False
    seen: list[HttpRequest] = []

    def see(request: HttpRequest, **_: object) -> None:
        seen.append(request)

    got_request_exception.connect(see)
    try:
        assert [client.get("/store/fails").status_code for _ in range(2)] == [500, 500]
    finally:
        got_request_exception.disconnect(see)
    assert [request.resolver_match.route for request in seen if request.resolver_match] == ["store/fails"] * 2


def test_with_a_middleware_that_looks_at_views_none_is_hidden_from_it(settings: Settings) -> None:
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, f"{__name__}.Looks"]
    Looks.seen.clear()
    client = Client()
    assert [client.get("/store/answers").content for _ in range(2)] == [b"done", b"done"]
    assert Looks.seen == ["store/answers"] * 2


@pytest.mark.django_db
def test_the_admin_site_has_the_protection_of_a_page(client: Client) -> None:
    answer = client.get("/admin/login/")
    assert answer.status_code == 200
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "default-src 'self'" in answer["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]
    assert "csrf" in answer.cookies


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/admin/login/", "/page"])
def test_a_page_takes_no_form_from_elsewhere(address: str) -> None:
    assert Client(enforce_csrf_checks=True).post(address, {"username": "a"}).status_code == 403


def test_an_api_answer_has_nosniff_and_none_of_the_layers_of_pages(client: Client) -> None:
    answer = client.get("/store/answers")
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "Content-Security-Policy" not in answer
    assert "X-Frame-Options" not in answer
    assert Client(enforce_csrf_checks=True).post("/store/answers").content == b"done"


def test_another_origin_may_read_the_api_and_not_the_pages(client: Client) -> None:
    origin = {"Origin": "http://localhost:3000"}
    assert client.get("/store/answers", headers=origin)["Access-Control-Allow-Origin"] == "http://localhost:3000"
    assert "Access-Control-Allow-Origin" not in client.get("/page", headers=origin)
