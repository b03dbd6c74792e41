"""The OpenAPI document and the page that shows it: both are read, and nothing else."""

import pytest
from django.test import Client

PLACES = pytest.mark.parametrize(
    ("path", "kind"), [("/openapi.json", "application/json"), ("/docs", "text/html; charset=utf-8")]
)


@PLACES
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_it_can_be_read(client: Client, path: str, kind: str, method: str) -> None:
    answer = client.generic(method, path)
    assert (answer.status_code, answer["Content-Type"]) == (200, kind)
    assert bool(answer.content) == (method == "GET")


@PLACES
@pytest.mark.parametrize("method", ["OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"])
def test_no_other_method_is_taken(path: str, kind: str, method: str) -> None:
    answer = Client(raise_request_exception=False, enforce_csrf_checks=True).generic(method, path)
    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD")
    assert answer["Content-Type"] == "application/json"
    assert answer.json() == {"type": "not_allowed", "message": f'Method "{method}" not allowed.'}
