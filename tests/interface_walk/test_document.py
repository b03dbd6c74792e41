"""The walk's tables name what the interface document names: nothing is forgotten, nothing is made up."""

import re

from tests.contract import routes as contract
from tests.interface_walk import document
from tests.interface_walk.resources import RESOURCES
from tests.interface_walk.routes import CREDENTIALS, ROUTES, SEVEN
from tests.interface_walk.tables import held
from tests.shared_data import INTERFACE, needs


@needs(INTERFACE)
def test_every_resource_has_the_fields_of_the_document() -> None:
    reported = document.resources()
    assert sorted(reported) == sorted(RESOURCES)
    for name, fields in reported.items():
        assert dict(sorted(RESOURCES[name].items())) == dict(sorted(fields.items())), name


@needs(INTERFACE)
def test_every_route_takes_and_gives_what_the_document_says() -> None:
    reported = document.routes()
    assert list(reported) == list(ROUTES)
    for name, route in reported.items():
        mine = ROUTES[name]
        assert (set(mine.query), set(mine.body)) == (set(route.query), set(route.body)), name
        assert (set(mine.answer), mine.resource) == (set(route.answer), route.resource), name
        assert mine.headers == route.headers, name


@needs(INTERFACE)
def test_credentials_and_bodies_are_those_of_the_document() -> None:
    assert document.credentials() == CREDENTIALS
    assert document.bodies() == SEVEN


def test_what_fields_hold_is_in_the_tables_too() -> None:
    holding = {resource for fields in RESOURCES.values() for kind in fields.values() if (resource := held(kind))}
    answered = {route.resource for route in ROUTES.values()}
    assert holding <= set(RESOURCES)
    assert set(RESOURCES) == holding | {name for name in answered if name}


def test_every_route_of_the_tables_is_served() -> None:
    served = {
        f"{method.upper()} {re.sub(r'<[a-z]+:', '{', route.path).replace('>', '}')}"
        for route in contract.ROUTES
        for method in route.actions
    }
    assert set(ROUTES) <= served
