"""A migration rebuilds what earlier versions have written: documents without ranking, letters that were not folded."""

from urllib.parse import quote

import pytest
from django.db import connection

from catalog.models import Product, ProductVariant
from catalog.search.refolding import refold
from tests.contract.callers import Caller, storefront
from tests.factories.apikeys import publishable_key
from tests.factories.products import ProductFactory, VariantFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def store() -> Caller:
    return storefront(publishable_key())


def found(store: Caller, search: str) -> list[str]:
    answer = store.get("/store/products", f"fields=title&q={quote(search)}").json()
    return [product["title"] for product in answer["products"]]


def _as_before(table: str, key: str, document: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE {table} SET document = %s WHERE id = %s", [document, key])


def test_products_of_earlier_versions_are_found_and_ranked(store: Caller) -> None:
    pot = ProductFactory(title="Pot", description="For O’Brien’s tea", handle="pot")
    ale = ProductFactory(title="O’Brien’s Smørrebrød", handle="ale")
    sku = VariantFactory(product=ale, title="Box", sku="Ø-1")
    _as_before("catalog_product", pot.pk, " brien for o pot s tea\n o’brien’s")
    _as_before("catalog_product", ale.pk, " ale brien o s smørrebrød\n o’brien’s")
    _as_before("catalog_productvariant", sku.pk, " 1 box ø\n ø-1")
    assert found(store, "smorrebrod") == found(store, "o'brien") == found(store, "o-1") == []
    assert sum(refold([ProductVariant, Product])) == 3
    assert found(store, "smorrebrod") == found(store, "o-1") == [ale.title]
    assert found(store, "o'brien") == [ale.title, "Pot"]
    assert (Product.objects.get(pk=ale.pk).document, ProductVariant.objects.get(pk=sku.pk).document) == (
        " ale brien o obriens s smorrebrod\n\n\v ale\n\tobriens\tsmorrebrod",
        " 1 box o\n o-1\n\v o-1\n\tbox",
    )
