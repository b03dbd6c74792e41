"""What holds for every route, found by walking the URLconf: a new route fails here until it keeps the rules."""

import re
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.urls import URLPattern, URLResolver, get_resolver

from kit.rest.endpoint import Endpoint
from kit.rest.reads import List, Retrieve
from kit.rest.viewsets import AuthEndpoint
from tests.contract.callers import NOBODY, Caller, refusal
from tests.contract.routes import EXAMPLES, ROUTES, Route, good_request, of, send

pytestmark = [pytest.mark.every(6), pytest.mark.once, pytest.mark.django_db]


def test_each_route_has_an_example_and_each_example_a_route() -> None:
    assert {route.path for route in ROUTES} == set(EXAMPLES)


def test_nothing_else_is_served_but_the_admin_site_and_the_document() -> None:
    def others(resolver: URLResolver, prefix: str) -> set[str]:
        found = set()
        for pattern in resolver.url_patterns:
            if isinstance(pattern, URLResolver) and pattern.namespace != "admin":
                found |= others(pattern, prefix + str(pattern.pattern))
            elif isinstance(pattern, URLPattern) and not issubclass(getattr(pattern.callback, "cls", object), Endpoint):
                found.add(prefix + str(pattern.pattern))
        return found

    invitations = {"/admin/invitation/", "/admin/invitation/<str:token>/"}
    pages = {
        *invitations,
        "/openapi.json",
        "/docs",
        "/graphiql",
        "/media/<str:name>",
        "/orders/lookup/<str:token>",
        "/orders/documents/<str:token>",
        "/pay/<str:token>",
    }
    assert others(get_resolver(), "/") == {"/admin", f"/^{settings.ADMIN_API_PATHS}", *pages}


@pytest.mark.parametrize("route", ROUTES, ids=str)
def test_each_stands_past_the_layers_that_pages_need(route: Route) -> None:
    path = EXAMPLES[route.path].path()
    assert re.match(settings.API_PATHS, path)
    assert re.match(settings.CORS_URLS_REGEX, path)


def test_every_address_of_the_admin_site_stands_behind_them() -> None:
    def ends(resolver: URLResolver) -> Iterator[str]:
        for pattern in resolver.url_patterns:
            if isinstance(pattern, URLResolver):
                yield from ends(pattern)
            else:
                yield str(pattern.pattern).removesuffix("$")

    (site,) = (pattern for pattern in get_resolver().url_patterns if getattr(pattern, "namespace", "") == "admin")
    assert {end[-1:] for end in ends(site)} == {"/", ""}


@pytest.mark.parametrize("route", ROUTES, ids=str)
def test_other_methods_are_refused_naming_those_it_has(route: Route) -> None:
    path, allowed = EXAMPLES[route.path].path(), ", ".join(sorted([*route.methods, "OPTIONS"]))
    others = {"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"} - set(route.methods)
    for method in others:
        response = NOBODY.send(method, path, b"{not json")
        assert refusal(response) == (405, f'Method "{method}" not allowed.')
        assert response.json()["type"] == "not_allowed"
        assert response["Allow"] == allowed
    response = NOBODY.send("OPTIONS", path)
    assert (response.status_code, response.content, response["Allow"]) == (204, b"", allowed)


@pytest.mark.parametrize("route", [route for route in ROUTES if "HEAD" in route.methods], ids=str)
def test_head_answers_as_get_without_a_body(route: Route, store: Caller, admin: Caller) -> None:
    for caller in (NOBODY, store, admin):
        got, head = (send(caller, route, method) for method in ("GET", "HEAD"))
        assert (head.status_code, head["Content-Type"], head.content) == (got.status_code, got["Content-Type"], b"")


@pytest.mark.parametrize(("route", "method"), of(AuthEndpoint))
def test_login_routes_take_no_idempotency_key(route: Route, method: str) -> None:
    assert not route.endpoint.accepts_idempotency_key
    first, second = (send(NOBODY, route, method, Idempotency_Key="k" * 20) for _ in range(2))
    assert "Idempotent-Replayed" not in second
    assert first.status_code == second.status_code


@pytest.mark.parametrize(("route", "method"), of(Endpoint))
class TestQueries:
    def test_unknown_parameters_are_refused_by_name(self, route: Route, method: str, entitled: Caller) -> None:
        response = send(entitled, route, method, query="foo=bar&price=1")
        if method == "HEAD":
            assert response.status_code == 400
        else:
            assert refusal(response) == (400, "Invalid request: Unrecognized fields: 'foo, price'")

    def test_what_cannot_be_decoded_is_refused(self, route: Route, method: str, entitled: Caller) -> None:
        good = good_request(route, method)
        for query in (
            "fields=%FF",
            "fields=%00",
            "%",
            "fields=%zz",
            "fields[=1",
            "=",
            "fields[a]=1&fields=b",
            "fields[]=a",
        ):
            assert good.send(entitled, query=query).status_code == 400, query


@pytest.mark.parametrize("route", [route for route in ROUTES if issubclass(route.endpoint, List | Retrieve)], ids=str)
def test_reading_routes_send_their_defaults_and_what_is_asked_for(route: Route, entitled: Caller) -> None:
    caller = entitled
    if "get" not in route.actions:
        return
    resource, is_list = route.endpoint.resource, route.actions["get"] == "list"
    field_set = resource.list_field_set if is_list else resource.field_set
    example = EXAMPLES[route.path].path()
    if is_list:  # has nothing to show until one of it is made
        made = (one for path, one in EXAMPLES.items() if path.startswith(f"{route.path}/<str:"))
        next(made, EXAMPLES[route.path]).path()
    expected = field_set.parse(None)
    name = next(each for each in ("created_at", "name", "number", "is_enabled") if each in expected.scalars)
    whole, bare, one, unknown = (
        caller.get(example, query) for query in ("", "fields=", f"fields={name}", f"fields={name},nope,also.nope")
    )
    assert sorted(_keys(whole, route)) == sorted([*expected.scalars, *(name for name, _ in expected.relations)])
    always = {*expected.scalars} & {"id"} | {one.strip("*").split(".")[0] for one in field_set.always.split(",") if one}
    assert {*_keys(bare, route)} == always
    assert {*_keys(one, route)} == {*always, name}
    assert refusal(unknown) == (400, "Requested fields [nope, also.nope] are not valid")


def _keys(response: HttpResponse, route: Route) -> list[str]:
    assert response.status_code == 200, response.content
    if route.actions["get"] == "list":
        envelope = response.json()
        assert list(envelope) == [route.endpoint.resource.plural, "count", "estimate_count", "offset", "limit"]
        assert envelope["count"] == envelope["estimate_count"] >= len(envelope[route.endpoint.resource.plural]) > 0
        assert (envelope["offset"], envelope["limit"]) == (0, route.endpoint.resource.default_limit)
        return list(envelope[route.endpoint.resource.plural][0])
    assert list(response.json()) == [route.endpoint.resource.name]
    return list(response.json()[route.endpoint.resource.name])
