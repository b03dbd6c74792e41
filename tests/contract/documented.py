"""What the OpenAPI document says of answers, against which each answer in these tests is checked."""

import re
from functools import cache
from typing import Any

import orjson
from django.http import HttpResponse
from django.test import override_settings

from kit.rest.openapi.openapi import document

JSON = "application/json"


@cache
def _described() -> dict[str, Any]:
    """That of the shop's routes, also in a test that has routes of its own."""
    with override_settings(ROOT_URLCONF="commerce.urls"):
        described: dict[str, Any] = orjson.loads(document())
    return described


@cache
def _names(path: str, method: str, status: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """All names of the answer's object, and those that it always has; None for what the document does not describe."""
    operation = _described()["paths"].get(path, {}).get(method.lower(), {})
    schema = operation.get("responses", {}).get(status, {}).get("content", {}).get(JSON, {}).get("schema")
    if schema is None:
        return None
    if "$ref" in schema:
        schema = _described()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    if "properties" not in schema:
        return None
    return frozenset(schema["properties"]), frozenset(schema.get("required", ()))


def assert_documented(response: HttpResponse) -> None:
    """A success has the names that the document gives it, and no other."""
    match = getattr(response, "resolver_match", None)
    if match is None or response.status_code not in (200, 201) or response["Content-Type"] != JSON:
        return
    path = "/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", match.route)
    method: str = response.request["REQUEST_METHOD"]  # type: ignore[attr-defined]  # the test client adds it
    names = _names(path, method, str(response.status_code))
    if names is None or not response.content:
        return
    known, always = names
    found = orjson.loads(response.content).keys()
    assert always <= found <= known, (method, path, sorted(found), sorted(known))
