"""Requests to /graphql, and the ways to look at answers."""

from typing import Any

from django.http import HttpResponse

from tests.contract.callers import JSON, Caller

PATH = "/graphql"


def ask(caller: Caller, query: str, variables: dict[str, Any] | None = None, **headers: str) -> HttpResponse:
    """One document."""
    body = {"query": query} if variables is None else {"query": query, "variables": variables}
    return caller.post(PATH, body, **headers)


def data(response: HttpResponse) -> Any:
    """What an operation gave that has not failed anywhere."""
    assert response.status_code == 200, response.content
    assert list(response.json()) == ["data"], response.content
    return response.json()["data"]


def failures(response: HttpResponse) -> list[tuple[str, str, dict[str, str]]]:
    """Where each failure of an executed operation stands, its message and its extensions."""
    assert response.status_code == 200, response.content
    assert list(response.json()) == ["errors", "data"], response.content
    errors = response.json()["errors"]
    return [(".".join(map(str, each["path"])), each["message"], each["extensions"]) for each in errors]


def is_unauthorized(response: HttpResponse) -> bool:
    """Whether the caller has no credential for any field of the document."""
    return (response.status_code, response["Content-Type"], response.content) == (401, "text/plain", b"Unauthorized")


def refused(response: HttpResponse) -> list[str]:
    """The messages for a document that was refused before anything of it was executed."""
    assert (response.status_code, response["Content-Type"]) == (400, JSON), response.content
    assert list(response.json()) == ["errors"], response.content
    errors = response.json()["errors"]
    assert all(each["extensions"] == {"type": "invalid_data"} for each in errors), errors
    return [each["message"] for each in errors]
