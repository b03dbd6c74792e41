"""Every filter, order key and field of every list: as the contract has it, and none without its case."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from kit.graphql.types.types import type_name
from kit.reads.declarations.fields import Relation, ResourceSerializerClass
from kit.reads.filters.filters import ObjectFilter, ResourceFilter
from kit.reads.filters.id_filter import IdFilter
from kit.rest.reads import List, ReadEndpoint
from kit.rest.viewsets import AdminEndpoint, CustomerEndpoint
from kit.search.documents import document_field
from orders.api.serializers.lookups import FoundOrderSerializer
from tests.contract.callers import Caller
from tests.contract.lists import CONTRACTS, LISTS, Contract
from tests.contract.parts import PARTS
from tests.contract.routes import ROUTES, Route

pytestmark = [pytest.mark.every(4), pytest.mark.django_db]

LISTED = [pytest.param(route, id=route.path) for route in ROUTES if "list" in route.actions.values()
          and issubclass(route.endpoint, List)]  # fmt: skip
READ = {
    resource.serializer_class
    for route in ROUTES
    if issubclass(route.endpoint, ReadEndpoint)
    for resource in (route.endpoint.resource, *route.endpoint.resources.values())
} - {FoundOrderSerializer}  # selects nothing: tests/orders/lookups


def names(filters: Mapping[str, ResourceFilter], outer: str = "") -> Iterator[str]:
    """The filters as callers write them: `variants[options][value]`."""
    for name, declared in filters.items():
        written = f"{outer}[{name}]" if outer else name
        if isinstance(declared, ObjectFilter):
            yield from names(declared.members, written)
        else:
            yield written


def own_orders(contract: Contract) -> list[str]:
    return [name for name in contract.fields.split() if name not in contract.unsorted.split()]


def orders(contract: Contract) -> list[str]:
    below = (f"{relation}.{name}" for relation, to in contract.through.items() for name in own_orders(CONTRACTS[to]))
    return [*own_orders(contract), *below, *contract.in_context.split()]


@pytest.mark.parametrize("serializer_class", sorted(CONTRACTS, key=lambda each: each.__name__))
def test_each_field_is_the_contracts(serializer_class: ResourceSerializerClass) -> None:
    assert list(serializer_class._declared_fields) == CONTRACTS[serializer_class].fields.split()


def test_every_list_and_no_other_resource_has_a_contract() -> None:
    assert {route.values[0].path for route in LISTED} == set(LISTS)
    assert set(CONTRACTS) == READ | {to for contract in CONTRACTS.values() for to in contract.through.values()}


def test_each_field_of_their_parts_is_the_contracts() -> None:
    found, pending = {}, list(CONTRACTS)
    while pending:
        for relation in pending.pop()._declared_fields.values():
            part = relation.to() if isinstance(relation, Relation) else None
            if part is not None and part not in CONTRACTS and type_name(part) not in found:
                found[type_name(part)] = " ".join(part._declared_fields)
                pending.append(part)
    assert found == PARTS


@pytest.mark.parametrize("route", LISTED)
def test_each_filter_has_a_case(route: Route) -> None:
    assert set(names(route.endpoint.resource.filterset_class.base_filters)) == set(LISTS[route.path].cases)


@pytest.mark.parametrize("route", LISTED)
def test_each_order_key_is_the_contracts(route: Route) -> None:
    resource = route.endpoint.resource
    ranked = ["relevance"] if document_field(resource.serializer_class.Meta.model) else []
    assert list(resource.orders) == [*orders(CONTRACTS[resource.serializer_class]), *ranked]


@pytest.fixture
def caller(request: pytest.FixtureRequest) -> Caller:
    endpoint = request.node.callspec.params["route"].endpoint
    kinds = {CustomerEndpoint: "signed_in", AdminEndpoint: "admin"}
    who: Caller = request.getfixturevalue(
        next((name for base, name in kinds.items() if issubclass(endpoint, base)), "store")
    )
    return who


@pytest.fixture
def rows(route: Route, caller: Caller) -> dict[str, str]:
    """The keys of the route's rows, and of what queries name, by name."""
    return {name: row if isinstance(row, str) else str(row.pk) for name, row in LISTS[route.path].make().items()}


def listed(caller: Caller, route: Route, rows: dict[str, str], query: str) -> list[dict[str, Any]]:
    base = LISTS[route.path].base.format_map(rows)
    path = route.path.replace("<str:id>", rows.get("above", ""))
    response = caller.get(path, f"limit=1000&{base}&{query}")
    assert response.status_code == 200, (query, response.content)
    found: list[dict[str, Any]] = response.json()[route.endpoint.resource.plural]
    return found


def among(route: Route, rows: dict[str, str]) -> str:
    """A query for the made rows alone, where the list has others."""
    key = route.endpoint.resource.key
    own = (rows[name] for name in ("one", "other", "gone") if name in rows)
    filters = route.endpoint.resource.filterset_class.base_filters
    return "&".join(f"{key}[]={each}" for each in own) if key in filters else ""


@pytest.mark.parametrize("route", LISTED)
def test_each_filter_finds_what_it_names(route: Route, caller: Caller, rows: dict[str, str]) -> None:
    key = route.endpoint.resource.key
    for name, case in LISTS[route.path].cases.items():
        query, found = (case, "one") if isinstance(case, str) else case
        written = query.format_map(rows).replace(" ", "%20")
        chosen = {each[key] for each in listed(caller, route, rows, f"fields={key}&{written}")}
        assert chosen & set(rows.values()) == {rows[each] for each in found.split()}, name


@pytest.mark.parametrize("route", LISTED)
def test_each_list_with_ids_is_read_whole_by_the_last_one(route: Route, caller: Caller, rows: dict[str, str]) -> None:
    key = route.endpoint.resource.key
    if not isinstance(route.endpoint.resource.filterset_class.base_filters.get("id"), IdFilter):
        return
    whole = listed(caller, route, rows, "order=id&fields=id")
    read: list[dict[str, Any]] = []
    while page := listed(caller, route, rows, f"order=id&fields=id&id[$gt]={read[-1]['id'] if read else ''}")[:1]:
        read += page
    assert key == "id"
    assert read == whole


@pytest.mark.parametrize("route", LISTED)
def test_each_order_key_sorts_by_the_value_that_it_names(route: Route, caller: Caller, rows: dict[str, str]) -> None:
    key = route.endpoint.resource.key
    resource = route.endpoint.resource
    for order in set(resource.orders) - {"relevance"} - {each.name for each in resource.orders_in_context}:
        for sign in ("", "-"):
            found = listed(caller, route, rows, f"{among(route, rows)}&order={sign}{order}&fields={key},{order}")
            values = [(shown(each, order), each[key]) for each in found]
            if not any(isinstance(value, dict) for value, _ in values):
                by_value = [(value is None, () if value is None else (value,), own) for value, own in values]
                assert by_value == sorted(by_value, reverse=bool(sign)), f"{sign}{order}"


def shown(row: dict[str, Any], path: str) -> Any:
    value: Any = row
    for name in path.split("."):
        value = None if value is None else value[name]
    return value


@pytest.mark.parametrize("route", LISTED)
def test_each_field_is_read_by_its_name(route: Route, caller: Caller, rows: dict[str, str]) -> None:
    resource = route.endpoint.resource
    fields = CONTRACTS[resource.serializer_class].fields.split()
    scalars = [name for name in fields if not isinstance(resource.serializer_class._declared_fields[name], Relation)]
    always = resource.list_field_set.parse("id" if "id" in scalars else "")
    below = [name for name, _ in always.relations]
    (first, *_) = listed(caller, route, rows, f"{among(route, rows)}&fields={','.join(scalars)}")
    assert [name for name in first if name not in below] == scalars
    for name in scalars:
        (one, *_) = listed(caller, route, rows, f"{among(route, rows)}&fields={name}")
        assert one == {each: first[each] for each in (*always.scalars, *below, name) if each in first}, name
