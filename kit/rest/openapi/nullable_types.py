"""Types of what can be null, in the OpenAPI document."""

from collections.abc import Iterator
from typing import Any


def state_types(result: dict[str, Any], **context: object) -> dict[str, Any]:
    """A hook of drf-spectacular: give each `nullable` schema that refers to another one the type of that one.

    OpenAPI 3.0 defines `nullable` only beside a `type`; drf-spectacular leaves it out beside a reference.
    Source: https://spec.openapis.org/oas/v3.0.3.html#schema-object
    """
    components = result["components"]["schemas"]
    for schema in _nullable(result):
        reference = next(iter(schema.get("allOf") or schema.get("oneOf") or ()), {}).get("$ref", "")
        if "type" not in schema and reference:
            schema["type"] = components[reference.rpartition("/")[2]]["type"]
    return result


def _nullable(node: object) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict) and node.get("nullable") is True:
        yield node
    inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    for each in inner:
        yield from _nullable(each)
