"""Callers of the HTTP interface, each with its credentials, through the whole stack of middleware."""

from typing import Any

import orjson
from django.http import HttpResponse
from django.test import Client

from apikeys.issuance import IssuedKey
from tests.contract.documented import assert_documented

JSON = "application/json"


class Caller:
    """Sends requests with the same headers each time; a query goes as it is written, escaped by its author."""

    def __init__(self, **headers: str) -> None:
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}
        self.client = Client(raise_request_exception=False)

    def send(
        self, method: str, path: str, body: Any = b"", *, query: str = "", content_type: str = JSON, **headers: str
    ) -> HttpResponse:
        """Any request. Its answer must have the names that the OpenAPI document gives it.

        A body that is not bytes goes as JSON; a header of None is left out. The path may hold a query of its own, which
        then goes before the other.
        """
        path, _, own_query = path.partition("?")
        query = "&".join(filter(None, (own_query, query)))
        named = {**self.headers, **{name.replace("_", "-"): value for name, value in headers.items()}}
        present = {name: value for name, value in named.items() if value is not None}
        data = body if isinstance(body, bytes) else orjson.dumps(body)
        response = self.client.generic(method, path, data, content_type, QUERY_STRING=query, headers=present)
        assert_documented(response)
        return response

    def get(self, path: str, query: str = "", **headers: str) -> HttpResponse:
        return self.send("GET", path, query=query, **headers)

    def post(self, path: str, body: Any = b"", **options: str) -> HttpResponse:
        return self.send("POST", path, body, **options)


NOBODY = Caller()


def storefront(key: IssuedKey) -> Caller:
    """A storefront with its publishable key."""
    return Caller(x_publishable_api_key=key.token)


def importer(key: IssuedKey) -> Caller:
    """A program with its secret key."""
    return Caller(Authorization=f"Bearer {key.token}")


def refusal(response: HttpResponse) -> tuple[int, str]:
    """Status and message of an error body without a code, whose content type and keys are checked on the way."""
    assert response["Content-Type"] == JSON, response.content
    assert list(response.json()) == ["type", "message"], response.content
    return response.status_code, response.json()["message"]


def reported(response: HttpResponse) -> tuple[int, str, bytes]:
    """Status, content type and bytes."""
    return response.status_code, response["Content-Type"], response.content


def invalid(message: str) -> tuple[int, str]:
    """What `refusal` gives for a parameter or body that the route does not take."""
    return 400, f"Invalid request: {message}"
