"""Handles as pages send them: Next.js hands the parts of an address over encoded, and storefronts send them on."""

from urllib.parse import quote

import pytest

from catalog.models import Product
from catalog.products.product_editing import details
from kit.domain.actor import SYSTEM
from tests.contract.callers import Caller
from tests.factories.catalog import CategoryFactory
from tests.factories.products import ProductCollectionFactory, ProductFactory
from tests.kit.graphql.calls import ask

pytestmark = pytest.mark.django_db

HANDLES = ["हिन्दी-की-किताब", "抹茶ガーデン-ティー", "شاي-أخضر", "ελληνικός-καφές", "crème-brûlée", "matcha-uji"]


def found(store: Caller, parameter: str, *encoded: str, path: str = "/store/products") -> list[str]:
    """The handles of the rows that the store lists, by encoded handles."""
    query = "&".join(f"{parameter}={quote(handle)}" for handle in encoded)
    response = store.get(path, f"fields=handle&order=handle&{query}").json()
    (rows,) = (value for value in response.values() if isinstance(value, list))
    assert response["count"] == len(rows)
    return [row["handle"] for row in rows]


@pytest.mark.parametrize("handle", HANDLES)
def test_an_encoded_handle_finds_the_row(store: Caller, handle: str) -> None:
    ProductFactory(handle=handle)
    ProductCollectionFactory(handle=handle)
    CategoryFactory(handle=handle)
    for path in ("/store/products", "/store/collections", "/store/product-categories"):
        assert found(store, "handle", quote(handle), path=path) == [handle]
        assert found(store, "handle", handle, path=path) == [handle]


def test_lists_nested_filters_and_graphql_take_it(store: Caller) -> None:
    for handle in ("crème", "thé"):
        ProductFactory(handle=handle)
    assert found(store, "handle[]", quote("thé"), "crème", quote("crème")) == ["crème", "thé"]
    assert found(store, "$or[0][handle]", quote("thé")) == ["thé"]
    document = '{ products(handle: "%s") { products { handle } count } }'
    assert ask(store, document % quote("thé")).json()["data"]["products"]["count"] == 1


def test_an_encoded_former_handle_finds_the_row_unless_another_has_it(store: Caller) -> None:
    product: Product = ProductFactory(handle="thé")
    details.VERBS.put(actor=SYSTEM, states=[details.VERBS.state(id=product.pk, handle="thé-vert")])
    assert found(store, "handle", quote("thé")) == found(store, "handle", quote("thé-vert")) == ["thé-vert"]
    ProductFactory(handle="thé")
    assert found(store, "handle", quote("thé")) == ["thé"]


def test_a_stored_handle_that_looks_encoded_is_found_as_it_is(store: Caller) -> None:
    ProductFactory(handle="a%41")  # stored by an older version
    assert found(store, "handle", "a%41") == found(store, "handle", quote("a%41")) == ["a%41"]


@pytest.mark.parametrize("handle", ["th%E9", "a%00", "100%", "%", "%zz", "%ED%A0%80"])
def test_what_encodes_no_text_finds_nothing(store: Caller, handle: str) -> None:
    ProductFactory(handle="thé")
    assert found(store, "handle", handle) == []
