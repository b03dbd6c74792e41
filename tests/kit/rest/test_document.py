"""The OpenAPI document and the page that shows it: both are read, and nothing else."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import orjson
import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from kit.rest.openapi import openapi
from kit.rest.openapi.openapi import document

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


def test_requests_that_come_at_once_generate_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    generated: list[float] = []

    def get_schema(*_: object, **__: object) -> dict[str, Any]:
        generated.append(time.monotonic())
        time.sleep(0.1)
        return {}

    monkeypatch.setattr(SchemaGenerator, "get_schema", get_schema)
    monkeypatch.setattr(openapi, "_document", cache(openapi._document.__wrapped__))
    with ThreadPoolExecutor(4) as threads:
        found = [*threads.map(lambda _: document(), range(4))]
    assert (found, len(generated)) == ([b"{}"] * 4, 1)


TO_ALL_STAFF = {"/admin/users/me"}


@pytest.fixture(scope="module")
def operations() -> list[tuple[str, str, dict[str, Any]]]:
    """Each operation with its method and path."""
    described = orjson.loads(document())
    return [(method, path, each) for path, kinds in described["paths"].items() for method, each in kinds.items()]


class TestOperations:
    def test_the_seven_bodies_stand_at_every_route_but_those_of_supervisors(self, operations: Any) -> None:
        for method, path, operation in operations:
            unlike_others = {"emailpass/reset-password": "201", "orders/lookup": "202"}
            success = unlike_others.get("/".join(path.split("/")[-2:]), "200")
            seven = {success, "400", "401", "404", "409", "422", "500"}
            takes_any_type = path.startswith(("/hooks/", "/uploads/"))
            with_body = {"403", "408", "413"} | (set() if takes_any_type else {"415"}) if method != "get" else set()
            is_admin, is_health = path.startswith("/admin"), path.startswith("/health")
            may_be_throttled = {"429"} & operation["responses"].keys()
            is_refused_to_some = is_admin and path not in TO_ALL_STAFF
            expected = {success, "500"} if is_health else seven | with_body | ({"403"} if is_refused_to_some else set())
            assert operation["responses"].keys() == expected | {"503"} | may_be_throttled, (method, path)

    def test_each_has_a_summary_of_its_own_and_one_tag(self, operations: Any) -> None:
        summaries = [operation["summary"] for _, _, operation in operations]
        assert sorted(set(summaries)) == sorted(summaries)
        assert {len(operation["tags"]) for _, _, operation in operations} == {1}
        by_path = {
            (method, path): (operation["tags"][0], operation["summary"]) for method, path, operation in operations
        }
        assert by_path["get", "/store/products"] == ("Products", "List products")
        assert by_path["get", "/store/product-types/{id}"] == ("Product types", "Get a product type")
        assert by_path["get", "/admin/api-keys/{id}"] == ("API keys", "Get an API key for staff")
        assert by_path["post", "/store/carts/{id}/gift-cards"] == ("Carts", "Pay for a cart with a gift card")
        assert by_path["post", "/store/customers/me/addresses"] == ("Addresses", "Add an address")

    def test_each_value_of_order_has_a_name_that_no_generator_takes_for_anothers(self, operations: Any) -> None:
        orders = [parameter["schema"] for parameter in self.parameters(operations) if parameter["name"] == "order"]
        assert len(orders) >= 34
        for order in orders:
            names = order["x-enum-varnames"]
            assert len({name.replace("_", "") for name in names}) == len(names) == len(order["enum"])
            by_value = dict(zip(order["enum"], names, strict=True))
            descending = [value for value in by_value if value.startswith("-")]
            assert [by_value[each] for each in descending] == [
                f"{by_value[each[1:]]}_DESCENDING" for each in descending
            ]

    def test_conditions_begin_empty_where_they_are_tried_out(self, operations: Any) -> None:
        """A page would fill them with all operators at once, which the routes refuse."""
        objects = [each for each in self.parameters(operations) if each["schema"].get("type") == "object"]
        assert {each["name"] for each in objects} >= {"created_at", "updated_at", "deleted_at", "options"}
        assert [each["example"] for each in objects] == [{}] * len(objects)

    @staticmethod
    def parameters(operations: Any) -> Iterator[dict[str, Any]]:
        return (parameter for _, _, operation in operations for parameter in operation.get("parameters", ()))
