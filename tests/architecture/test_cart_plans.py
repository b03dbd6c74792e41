"""How PostgreSQL finds what a change of a cart asks for: by the keys, however much the shop sells."""

import re

import pytest

from catalog.models import ProductVariant
from tests.architecture.many_products import stock_products
from tests.architecture.test_query_budgets import know_amounts, store
from tests.factories import carts as make
from tests.plans import plan_as_if_large, plans_of

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

PRODUCTS = 400
_LARGE = r"catalog_(productvariant|price|variantinventoryitem|inventorylevel)\b"
WHOLE = re.compile(rf"Seq Scan on {_LARGE}|Index (Only )?Scan using .* on {_LARGE}(?!.*\n +Index Cond)")
"""A table is read whole by an index, too, if the index has no condition."""


@pytest.mark.parametrize("pieces", [1, 2, 20])
def test_putting_pieces_into_a_cart_reads_no_table_of_the_catalogue_whole(pieces: int) -> None:
    region = make.selling_region(currency_id="eur")
    stock_products(PRODUCTS, categories=[], region_id=region.pk)
    know_amounts()
    plan_as_if_large("catalog_")
    variants = list(ProductVariant.objects.order_by("pk").values_list("pk", flat=True)[:pieces])
    items = [{"variant_id": variant, "quantity": 1} for variant in variants]

    def put() -> None:
        response = store().post("/store/carts", {"region_id": region.pk, "items": items})
        assert response.status_code == 200, response.content

    found = [(WHOLE.search(plan), text) for text, plan in plans_of(put)]
    assert [f"{whole[0]} of {text}" for whole, text in found if whole] == []
