"""The API document keeps the rules that `redocly lint` takes for errors by default, here without that program.

Source: https://redocly.com/docs/cli/rules/recommended. That it is an OpenAPI document at all, `make check` validates.
"""

import copy
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import orjson
import pytest

from kit.rest.openapi.openapi import document

pytestmark = pytest.mark.once
Document = dict[str, Any]
METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
OF_TYPE: dict[str, tuple[type, ...]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,), "array": (list,), "object": (dict,)
}  # fmt: skip


def objects(node: object, place: str = "#") -> Iterator[tuple[str, dict[str, Any]]]:
    """Each object of the document with its place."""
    if isinstance(node, dict):
        yield place, node
        for name, inner in node.items():
            yield from objects(inner, f"{place}/{name}")
    elif isinstance(node, list):
        for index, inner in enumerate(node):
            yield from objects(inner, f"{place}/{index}")


def operations(api: Document) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in api["paths"].items():
        yield from ((path, method, item[method]) for method in METHODS if method in item)


def servers(api: Document) -> Iterator[str]:
    if not api.get("servers"):
        yield "no servers"
    yield from (each["url"] for each in api.get("servers", ()) if each["url"] != "/" and each["url"].endswith("/"))


def types_of_nullable(api: Document) -> Iterator[str]:
    yield from (place for place, each in objects(api) if isinstance(each.get("nullable"), bool) and "type" not in each)


def types_of_values(api: Document) -> Iterator[str]:
    for place, each in objects(api):
        if isinstance(each.get("type"), str) and isinstance(each.get("enum"), list):
            allowed = (*OF_TYPE[each["type"]], *([type(None)] if each.get("nullable") else []))
            yield from (f"{place} {value}" for value in each["enum"] if not isinstance(value, allowed))
        if (each.get("type") == "object" and "items" in each) or (each.get("type") == "array" and "properties" in each):
            yield f"{place} {each['type']}"


def paths(api: Document) -> Iterator[str]:
    counts = Counter(re.sub(r"{\w*}", "{}", path) for path in api["paths"])
    yield from (path for path, count in counts.items() if count > 1)
    yield from (path for path in api["paths"] if re.search(r".(/$)|\?|{}", path))


def operation_ids(api: Document) -> Iterator[str]:
    ids = [operation["operationId"] for _, _, operation in operations(api)]
    yield from (name for name, count in Counter(ids).items() if count > 1)
    yield from (name for name in ids if not re.fullmatch(r"[\w\-.~]+", name, re.ASCII))


def summaries(api: Document) -> Iterator[str]:
    yield from (f"{method} {path}" for path, method, operation in operations(api) if not operation.get("summary"))


def parameters(api: Document) -> Iterator[str]:
    for path, method, operation in operations(api):
        given = Counter((each["in"], each["name"]) for each in operation.get("parameters", ()))
        named = {("path", name) for name in re.findall(r"{(\w+)}", path)}
        if named != {each for each in given if each[0] == "path"} or given.total() > len(given):
            yield f"{method} {path}"


def security(api: Document) -> Iterator[str]:
    known = api["components"]["securitySchemes"]
    for path, method, operation in operations(api):
        if "security" not in operation or not all(name in known for each in operation["security"] for name in each):
            yield f"{method} {path}"


def references(api: Document) -> Iterator[str]:
    there = {f"#/components/{kind}/{name}" for kind, named in api["components"].items() for name in named}
    yield from (name for name in there if not re.fullmatch(r"#/components/\w+/[\w.\-]+", name, re.ASCII))
    found = ((place, each["$ref"]) for place, each in objects(api) if "$ref" in each)
    yield from (f"{place} {reference}" for place, reference in found if reference not in there)


RULES: list[Callable[[Document], Iterator[str]]] = [
    servers, types_of_nullable, types_of_values, paths, operation_ids, summaries, parameters, security, references
]  # fmt: skip


@pytest.fixture(scope="module")
def api() -> Document:
    described: Document = orjson.loads(document())
    return described


@pytest.mark.parametrize("rule", RULES)
def test_the_document_keeps_it(api: Document, rule: Callable[[Document], Iterator[str]]) -> None:
    assert len(api["paths"]) > 100
    assert list(rule(api)) == []


def _an_operation(api: Document) -> dict[str, Any]:
    operation: dict[str, Any] = api["paths"]["/store/carts/{id}"]["get"]
    return operation


FAULTS: list[tuple[Callable[[Document], Iterator[str]], Callable[[Document], object]]] = [
    (servers, lambda api: api.pop("servers")),
    (servers, lambda api: api.update(servers=[{"url": "https://shop.example/"}])),
    (types_of_nullable, lambda api: api["components"]["schemas"]["Cart"]["properties"]["email"].pop("type")),
    (types_of_values, lambda api: api["components"]["schemas"]["OrderStatusEnum"]["enum"].append(1)),
    (types_of_values, lambda api: api["components"]["schemas"]["Cart"].update(items={})),
    (paths, lambda api: api["paths"].update({"/store/carts/{key}": {}})),
    (paths, lambda api: api["paths"].update({"/store/carts/": {}})),
    (operation_ids, lambda api: _an_operation(api).update(operationId="list_store_regions")),
    (operation_ids, lambda api: _an_operation(api).update(operationId="get a cart")),
    (summaries, lambda api: _an_operation(api).pop("summary")),
    (parameters, lambda api: _an_operation(api)["parameters"].pop(0)),
    (parameters, lambda api: _an_operation(api)["parameters"].extend(_an_operation(api)["parameters"][:1])),
    (security, lambda api: _an_operation(api).update(security=[{"unknown": []}])),
    (references, lambda api: api["components"]["schemas"].pop("Error")),
]


@pytest.mark.parametrize(("rule", "spoil"), FAULTS)
def test_a_fault_is_found(
    api: Document, rule: Callable[[Document], Iterator[str]], spoil: Callable[[Document], object]
) -> None:
    spoiled = copy.deepcopy(api)
    spoil(spoiled)
    assert list(rule(spoiled)) != []
