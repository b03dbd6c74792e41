"""A plain resource of /admin costs few lines beside model and rules: `pytest -rP` prints how many.

Counted are its endpoint and what that uses of its module, its other input classes, the declaration, fields and filters
of its resource, and the elements of lists and dicts that name the endpoint: routes, and what GraphQL has.
"""

import ast
import inspect
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from kit.rest.viewsets import AdminEndpoint
from tests.contract.routes import ROUTES

TOO_MANY = 60
PLAIN = (
    *("product_type", "product_tag", "collection", "region", "sales_channel", "stock_location", "shipping_profile"),
    *("shipping_option_type", "customer_group", "refund_reason", "return_reason", "currency", "price_preference"),
)
ENDPOINTS = {
    route.endpoint.resource.name: route.endpoint
    for route in ROUTES
    if issubclass(route.endpoint, AdminEndpoint) and hasattr(route.endpoint, "resource")
}


@pytest.mark.once
def test_a_plain_resource_costs_few_lines() -> None:
    counts = {name: lines(ENDPOINTS[name]) for name in PLAIN}
    sys.stdout.write(f"{counts}\n")
    assert max(counts.values()) < TOO_MANY


def lines(endpoint: type[AdminEndpoint]) -> int:
    """What its resource costs."""
    module, resource = sys.modules[endpoint.__module__], endpoint.resource
    api = f"{endpoint.__module__.partition('.')[0]}.api"
    nodes = {*used(module, endpoint.__name__, {}).values()}
    for other in [each for name, each in sys.modules.items() if f"{name}.".startswith(f"{api}.")]:
        nodes |= {*mentions(other, endpoint.__name__), *declarations(other, resource)}
    classes = {*endpoint.inputs.values(), resource.serializer_class, resource.filterset_class}
    elsewhere = (
        each for each in classes if each.__module__.startswith(f"{api}.") and each.__module__ != module.__name__
    )
    return sum(node.end_lineno - node.lineno + 1 for node in nodes) + sum(map(length, elsewhere))


def length(made: type) -> int:
    return len(inspect.getsource(made).splitlines())


def used(module: ModuleType, name: str, seen: dict[str, Any]) -> dict[str, Any]:
    """The statement of the module that makes the name, and those that it uses."""
    for node in tree(module).body:
        if name in made(node) and name not in seen:
            seen[name] = node
            for each in names(node):
                used(module, each, seen)
    return seen


def mentions(module: ModuleType, name: str) -> Iterator[Any]:
    """The elements of lists, tuples and dicts of the module that name the class."""
    for node in tree(module).body:
        if isinstance(node, ast.Assign):
            parts = getattr(node.value, "values", getattr(node.value, "elts", ()))
            yield from (part for part in parts if name in names(part))


def declarations(module: ModuleType, resource: Any) -> Iterator[Any]:
    """The statements of the module that make the resource."""
    for node in tree(module).body:
        if any(getattr(module, name) is resource for name in made(node) if isinstance(node, ast.Assign)):
            yield node


def made(node: Any) -> set[str]:
    """What a statement defines."""
    return names(node.targets[0]) if isinstance(node, ast.Assign) else {getattr(node, "name", "")}


@cache
def tree(module: ModuleType) -> ast.Module:
    return ast.parse(Path(str(module.__file__)).read_text())


def names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
