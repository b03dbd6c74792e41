"""References that can be null, in the OpenAPI document."""

from collections.abc import Iterator
from typing import Any


def choose_null(result: dict[str, Any], **context: object) -> dict[str, Any]:
    """A hook of drf-spectacular: describe a reference that can be null as a choice between it and null.

    drf-spectacular writes `nullable` beside the reference, which means nothing without a `type`. With one, generators
    of clients take null for impossible, since the referenced schema excludes it.
    Source: https://spec.openapis.org/oas/v3.0.3.html#schema-object
    """
    for schema in _untyped(result):
        del schema["nullable"]
        if "allOf" in schema:
            schema["oneOf"] = [*schema.pop("allOf"), {"enum": [None]}]
    return result


def _untyped(node: object) -> Iterator[dict[str, Any]]:
    """The schemas with `nullable` and without a type. A choice of enumerations has null among these already."""
    if isinstance(node, dict) and node.get("nullable") is True and "type" not in node:
        yield node
    inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    for each in inner:
        yield from _untyped(each)
