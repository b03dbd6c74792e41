"""Drafts, other channels' and deleted products are on no path: no list, id, relation, filter, search or count."""

import re
from collections.abc import Iterator

import pytest
from graphql import OperationType

from commerce.schema import SCHEMA
from kit.graphql.fields.reads import ListField, SingleField
from kit.query.selection import MAX_DEPTH, MAX_RELATIONS
from kit.reads.computed_resources import ComputedResource
from kit.reads.filters.field_sets import Shape
from kit.reads.resources import Resource
from kit.rest.reads import List
from kit.rest.viewsets import StoreEndpoint
from payments.api.resources import PAYMENT_PROVIDERS
from tests.catalog.secret_shop import SECRET, SecretShop, build
from tests.conftest import MakeOnce
from tests.contract.callers import Caller, storefront
from tests.contract.routes import ROUTES, Route
from tests.factories.apikeys import publishable_key
from tests.kit.graphql.calls import ask
from tests.kit.graphql.writing import page

pytestmark = pytest.mark.django_db

LISTS = [
    route
    for route in ROUTES
    if issubclass(route.endpoint, List) and issubclass(route.endpoint, StoreEndpoint) and not route.endpoint.demands
    if "get" in route.actions and "<" not in route.path and not isinstance(route.endpoint.resource, ComputedResource)
    if route.endpoint.resource is not PAYMENT_PROVIDERS  # nothing hangs below them, and a region has to be named
]
RELATIONS_AT_ONCE = MAX_RELATIONS // 2
"""Whole rows bring others along."""
TELLING = ("title", "name", "value", "url")
"""Each row has one of these, in which a secret one says so."""
PATH_OF = {
    "Product": "/store/products",
    "ProductVariant": "/store/product-variants",
    "ProductOption": "/store/product-options",
    "ProductCategory": "/store/product-categories",
}


FIELDS = SCHEMA.roots[OperationType.QUERY].items()
LIST_OF = {field.resource: name for name, field in FIELDS if isinstance(field, ListField) and not field.permission}
ONE_OF = {field.resource: name for name, field in FIELDS if isinstance(field, SingleField) and not field.permission}
"""GraphQL's fields of the store for each resource."""


@pytest.fixture
def store() -> Caller:
    return storefront(publishable_key())


@pytest.fixture(scope="module")
def shop(make_once: MakeOnce) -> SecretShop:
    made: SecretShop = make_once(build)
    return made


def relation_paths(shape: Shape, above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Shape]]:
    """Every path of relations below a resource, as deep as a caller may go, and what lies at its end."""
    for name, below in shape.relations.items():
        path = (*above, name)
        yield path, below()
        if len(path) < MAX_DEPTH:
            yield from relation_paths(below(), path)


def requests(resource: Resource, transport: str) -> Iterator[str]:
    """What to ask for until every path was asked for: by REST whole rows, by GraphQL, which writes it all out, a word.

    Paths come one below the other, so that most bring one relation more.
    """
    fields, relations = [], set()
    for path, shape in relation_paths(resource.field_set.offers):
        relations |= {path[:length] for length in range(1, len(path) + 1)}
        words = [name for name in TELLING if name in shape.scalars] or shape.scalars[:1]
        at = ".".join(path)
        fields += [f"*{at}"] if transport == "rest" else [f"{at}.{word}" for word in words]
        if len(relations) >= RELATIONS_AT_ONCE:
            yield ",".join(fields)
            fields, relations = [], set()
    yield ",".join(fields or ["created_at"])


@pytest.mark.parametrize("route", LISTS, ids=str)
@pytest.mark.parametrize("deleted", [False, True], ids=["living", "with deleted"])
@pytest.mark.parametrize("transport", ["rest", "graphql"])
def test_nothing_secret_hangs_below_anything(
    route: Route, deleted: bool, transport: str, store: Caller, shop: SecretShop
) -> None:
    secret_ids = [secret_id for some in shop.secret_ids.values() for secret_id in some]
    resource = route.endpoint.resource
    for fields in requests(resource, transport):
        if transport == "rest":
            response = store.get(route.path, f"limit=1000&fields={fields}{'&with_deleted=true' if deleted else ''}")
        else:
            arguments = "limit: 1000, withDeleted: true" if deleted else "limit: 1000"
            response = ask(store, page(resource, LIST_OF[resource], arguments, fields))
        assert response.status_code == 200, response.content
        text = response.content.decode()
        assert '"errors"' not in text
        if deleted:  # what is merely deleted may show, what is hidden besides may not
            text = re.sub(f"{SECRET}[ -](deleted|part)", "", text)
        assert SECRET not in text, fields
        assert deleted or not any(secret_id in text for secret_id in secret_ids), fields


def test_the_shown_product_is_there(store: Caller, shop: SecretShop) -> None:
    listed = store.get("/store/products").json()
    assert (listed["count"], [each["id"] for each in listed["products"]]) == (1, [shop.shown.pk])
    (product,) = listed["products"]
    assert [len(product[name]) for name in ("options", "variants", "images", "tags")] == [1, 2, 1, 1]


@pytest.mark.parametrize("model", PATH_OF)
def test_nothing_secret_is_found_by_its_id(model: str, store: Caller, shop: SecretShop) -> None:
    (route,) = [route for route in LISTS if route.path == PATH_OF[model]]
    one = ONE_OF[route.endpoint.resource]
    for secret_id in shop.secret_ids[model]:
        answer = ask(store, f'{{ {one}(id: "{secret_id}") {{ id }} }}').json()
        assert (answer["data"], answer["errors"][0]["extensions"]) == ({one: None}, {"type": "not_found"})
        assert store.get(f"{PATH_OF[model]}/{secret_id}").status_code == 404
        assert store.get(PATH_OF[model], f"id={secret_id}").json()["count"] == 0


@pytest.mark.parametrize("route", LISTS, ids=str)
def test_nothing_secret_is_found_by_its_words(route: Route, store: Caller, shop: SecretShop) -> None:
    if "q" in route.endpoint.resource.filterset_class.base_filters:
        assert store.get(route.path, f"q={SECRET}").json()["count"] == 0


def test_products_are_not_found_by_what_is_secret_of_them(store: Caller, shop: SecretShop) -> None:
    for parameter, model in (("category_id", "ProductCategory"), ("option_value_id", "ProductOptionValue")):
        for secret_id in shop.secret_ids[model]:
            assert store.get("/store/products", f"{parameter}={secret_id}").json()["count"] == 0, parameter
