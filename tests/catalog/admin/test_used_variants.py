"""Deleting variants that carts and orders have: each page says how many, and asks."""

import pytest
from django.test import Client

from catalog.models import Product, ProductVariant
from tests.catalog.admin.test_product_grid import grid, page_of
from tests.factories.carts import cart, sold_variant
from tests.factories.orders import full_cart, order
from tests.factories.products import VariantFactory
from tests.kit.admin.forms import errors, filled_in, sent, submit
from tests.kit.admin.visits import superuser

pytestmark = [pytest.mark.once, pytest.mark.django_db]

SENTENCE = (
    "The variants to delete are in 1 open cart and 2 orders. They can no longer be bought; orders keep their lines. "
    "Save again to confirm."
)


@pytest.fixture
def mug() -> ProductVariant:
    """A variant in two orders, in an open cart, and in a completed one beside each order."""
    order(cart=full_cart())
    blue = ProductVariant.objects.get()
    another = order(cart=full_cart())
    another.items.update(variant_id=blue.pk, product_id=blue.product_id)
    cart(blue)
    cart(sold_variant(product=blue.product, title="Red"))
    return blue


@pytest.fixture
def client() -> Client:
    return superuser()


def remaining(product: Product) -> list[str]:
    return list(product.variants.filter(deleted_at=None).order_by("pk").values_list("title", flat=True))


def test_the_grid_asks_before_it_deletes_used_variants(mug: ProductVariant, client: Client) -> None:
    page, deletion = page_of(mug.product), {"deleted": [mug.pk]}
    answer = client.post(page, sent(client, page, grid=grid(**deletion)))
    assert errors(answer) == {"grid": [SENTENCE]}
    assert answer.context["adminform"].form.page()["asked"] == [mug.pk]
    assert remaining(mug.product) == ["Blue", "Red"]
    submit(client, page, sent(client, page, grid=grid(**deletion, confirmed=[mug.pk])))
    assert remaining(mug.product) == ["Red"]


def test_the_grid_asks_again_for_others(mug: ProductVariant, client: Client) -> None:
    page, red = page_of(mug.product), mug.product.variants.get(title="Red")
    deletion = {"deleted": [red.pk], "confirmed": [mug.pk]}
    answer = client.post(page, sent(client, page, grid=grid(**deletion)))
    assert errors(answer) == {"grid": [SENTENCE.replace(" and 2 orders", "")]}
    assert answer.context["adminform"].form.page()["asked"] == [red.pk]
    assert remaining(mug.product) == ["Blue", "Red"]


def test_the_plain_table_asks_once(mug: ProductVariant, client: Client) -> None:
    page = f"{page_of(mug.product)}?tables=1"
    answer = client.post(page, sent(client, page, **{"variants-0-DELETE": "on"}))
    assert errors(answer) == {"variants": [SENTENCE]}
    assert remaining(mug.product) == ["Blue", "Red"]
    submit(client, page, filled_in(answer))
    assert remaining(mug.product) == ["Red"]


def test_the_plain_table_asks_again_about_other_variants(mug: ProductVariant, client: Client) -> None:
    page = f"{page_of(mug.product)}?tables=1"
    answer = client.post(page, sent(client, page, **{"variants-0-DELETE": "on"}))
    answer = client.post(page, filled_in(answer) | {"variants-1-DELETE": ["on"]})
    assert errors(answer) == {"variants": [SENTENCE.replace("1 open cart", "2 open carts")]}
    submit(client, page, filled_in(answer))
    assert remaining(mug.product) == []


def test_the_page_of_a_variant_says_in_how_many_it_is(mug: ProductVariant, client: Client) -> None:
    page = client.get(f"/admin/catalog/productvariant/{mug.pk}/delete/").content.decode()
    assert "It is in 1 open cart and 2 orders. It can no longer be bought; orders keep their lines." in page


def test_nothing_is_asked_about_unused_variants(client: Client) -> None:
    unsold = VariantFactory(title="Blue")
    page = f"{page_of(unsold.product)}?tables=1"
    assert "It is in" not in client.get(f"/admin/catalog/productvariant/{unsold.pk}/delete/").content.decode()
    submit(client, page, sent(client, page, **{"variants-0-DELETE": "on"}))
    assert remaining(unsold.product) == []
