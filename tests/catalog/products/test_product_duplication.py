"""Duplicating products."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalog.errors import ProductNotFound
from catalog.models import InventoryItem, Price, Product, ProductVariant
from catalog.products.product_editing.duplication import PERMISSIONS, duplicate
from kit.domain.actor import ANONYMOUS, SYSTEM, Actor
from kit.errors import Forbidden
from kit.values.timestamps import now
from tests.factories.catalog import CategoryFactory
from tests.factories.inventory import stock
from tests.factories.pricing import PriceListFactory, price
from tests.factories.products import ImageFactory, OptionFactory, ProductFactory, ProductTagFactory, VariantFactory
from tests.kit.admin.forms import sent
from tests.kit.admin.visits import history, reported, superuser, visitor

pytestmark = pytest.mark.django_db


def shirt(sizes: int = 2, *, name: str = "shirt") -> Product:
    """A published shirt in sizes, each for 10 usd and with an image, of which the first is in stock and on sale."""
    product = ProductFactory(
        title=name.title(), handle=name, status="published", subtitle="Cotton", external_id="E-1",
        tags=[ProductTagFactory(value=f"organic {name}")], categories=[CategoryFactory()],
    )  # fmt: skip
    image = ImageFactory(product=product, url="https://images.example/shirt.png", rank=3)
    size = OptionFactory(product=product, title="Size", values=[f"S{number}" for number in range(sizes)])
    for rank, value in enumerate(size.values.order_by("pk")):
        variant = VariantFactory(
            product=product, title=value.value, sku=f"{name}-{rank}", options=[value], variant_rank=rank, weight=0.5
        )
        variant.images.add(image)
        price(variant, 10)
    first = ProductVariant.objects.get(sku=f"{name}-0")
    stock(first, 3)
    price(first, 8, price_list=PriceListFactory())
    return product


def test_a_copy_has_all_but_what_is_unique_and_what_is_in_stock() -> None:
    original = shirt()
    copy = duplicate(actor=SYSTEM, product_id=original.pk)
    stored = Product.objects.get(pk=copy.pk)
    assert (stored.title, stored.handle, stored.status, stored.subtitle, stored.external_id) == (
        "Copy of Shirt", "shirt-copy", "draft", "Cotton", None,
    )  # fmt: skip
    for links in ("tags", "categories", "sales_channels"):
        assert set(getattr(stored, links).all()) == set(getattr(original, links).all())
    (image,) = stored.images.all()
    assert (image.url, image.rank) == ("https://images.example/shirt.png", 3)
    first, second = stored.variants.order_by("variant_rank")
    assert [(one.title, one.sku, one.weight) for one in (first, second)] == [("S0", None, 0.5), ("S1", None, 0.5)]
    (value,) = first.options.all()
    assert (value.value, value.option.product) == ("S0", stored)
    assert list(first.images.all()) == [image]
    (own,) = first.price_set.prices.all()
    assert (own.amount, own.currency_id, own.price_list) == (10, "usd", None)
    assert not InventoryItem.objects.filter(variants__product=stored).exists()


def test_the_original_keeps_what_it_had() -> None:
    original = shirt()
    before = list(ProductVariant.objects.values()), list(Price.objects.values())
    duplicate(actor=SYSTEM, product_id=original.pk)
    assert list(ProductVariant.objects.filter(product=original).values()) == before[0]
    assert list(Price.objects.filter(pk__in=[row["id"] for row in before[1]]).values()) == before[1]


def test_each_copy_has_a_handle_of_its_own() -> None:
    original = shirt()
    handles = [duplicate(actor=SYSTEM, product_id=original.pk).handle for _ in range(3)]
    assert handles == ["shirt-copy", "shirt-copy-2", "shirt-copy-3"]


def test_deleted_parts_are_not_copied() -> None:
    original = shirt()
    ProductVariant.objects.filter(sku="shirt-0").update(deleted_at=now())
    (variant,) = duplicate(actor=SYSTEM, product_id=original.pk).variants.all()
    assert variant.title == "S1"


def test_its_statements_do_not_depend_on_the_variants() -> None:
    def statements(product: Product) -> int:
        with CaptureQueriesContext(connection) as captured:
            duplicate(actor=SYSTEM, product_id=product.pk)
        return len(captured)

    few = statements(shirt(2, name="shirt"))
    assert statements(shirt(20, name="coat")) == few


@pytest.mark.parametrize("missing", PERMISSIONS)
def test_each_permission_is_required(missing: str) -> None:
    original = shirt()
    actor = Actor(type="user", id="user_1", permitted=lambda permission: permission != missing)
    with pytest.raises(Forbidden, match=missing):
        duplicate(actor=actor, product_id=original.pk)
    assert Product.objects.count() == 1


def test_unknown_and_deleted_products_are_not_found() -> None:
    gone = ProductFactory(deleted_at=now())
    for key in (gone.pk, "prod_x", "\0"):
        with pytest.raises(ProductNotFound):
            duplicate(actor=SYSTEM, product_id=key)
    with pytest.raises(Forbidden):
        duplicate(actor=ANONYMOUS, product_id=gone.pk)


class TestButton:
    def test_it_asks_and_then_opens_the_copy(self) -> None:
        client, original = superuser(), shirt()
        page = f"/admin/catalog/product/{original.pk}/duplicate/".replace("_", "_5F")
        question = client.get(page)
        assert "Duplicate this product?" in question.content.decode()
        assert Product.objects.count() == 1
        answer = client.post(page, {"post": "yes"})
        copy = Product.objects.get(handle="shirt-copy")
        assert answer["Location"] == f"/admin/catalog/product/{copy.pk.replace('_', '_5F')}/change/"
        assert reported(answer) == ["Copy of Shirt was created as a draft."]
        assert history() == [("Copy of Shirt", 1)]

    def test_a_double_click_creates_one_draft(self) -> None:
        client, original = superuser(), shirt()
        page = f"/admin/catalog/product/{original.pk}/duplicate/".replace("_", "_5F")
        question = sent(client, page)
        first, second = (client.post(page, question) for _ in range(2))
        assert first["Location"] == second["Location"]
        assert [history(), Product.objects.exclude(pk=original.pk).count()] == [[("Copy of Shirt", 1)], 1]
        client.post(page, sent(client, page))
        assert Product.objects.exclude(pk=original.pk).count() == 2

    def test_it_is_for_users_who_may_add_all_of_it(self) -> None:
        original = shirt()
        client = visitor("catalog.view_product", "catalog.add_product")
        page = f"/admin/catalog/product/{original.pk}/duplicate/".replace("_", "_5F")
        assert client.post(page, {"post": "yes"}).status_code in (302, 403)
        assert Product.objects.count() == 1


class TestStorefront:
    def test_a_published_product_links_to_its_page(self, settings) -> None:
        settings.STOREFRONT_URL, settings.PRODUCT_PAGE = "https://www.shop.example", "/products/{handle}"
        original, client = shirt(), superuser()
        page = f"/admin/catalog/product/{original.pk}".replace("_", "_5F")
        assert client.get(f"{page}/view_in_storefront/")["Location"] == "https://www.shop.example/products/shirt"
        assert "View in the storefront" in client.get(f"{page}/change/").content.decode()

    def test_a_draft_does_not(self, settings) -> None:
        settings.STOREFRONT_URL, settings.PRODUCT_PAGE = "https://www.shop.example", "/products/{handle}"
        draft = ProductFactory(status="draft")
        page = superuser().get(f"/admin/catalog/product/{draft.pk}/change/").content.decode()
        assert "View in the storefront" not in page

    def test_without_a_storefront_there_is_no_link(self, settings) -> None:
        settings.STOREFRONT_URL = ""
        page = superuser().get(f"/admin/catalog/product/{shirt().pk}/change/").content.decode()
        assert "View in the storefront" not in page
