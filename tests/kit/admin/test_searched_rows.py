"""The text fields beside pickers, for browsers without JavaScript."""

import re
from decimal import Decimal

import pytest
from django.contrib.admin.utils import quote
from pytest_django import Settings

from catalog.models import Price, Product, ProductCategory, VariantInventoryItem
from giftcards.models import StoreCreditAccount
from tests.factories.catalog import CategoryFactory
from tests.factories.customers import CustomerFactory
from tests.factories.inventory import InventoryItemFactory
from tests.factories.pricing import price
from tests.factories.products import ProductFactory, ProductTagFactory, VariantFactory
from tests.factories.shop import RegionFactory
from tests.kit.admin.forms import errors, filled_in, row, sent, submit
from tests.kit.admin.visits import superuser

pytestmark = [pytest.mark.once, pytest.mark.django_db]

CATEGORIES = "/admin/catalog/productcategory/"


def page_of(category: ProductCategory) -> str:
    return f"{CATEGORIES}{quote(category.pk)}/change/"


@pytest.fixture
def shirts() -> ProductCategory:
    return CategoryFactory(name="Shirts", parent=CategoryFactory(name="Clothes"))


@pytest.mark.parametrize(
    "text",
    [
        "{pk}",
        " {pk} ",
        "https://shop.example/admin/catalog/productcategory/{quoted}/change/",
        "/admin/catalog/productcategory/{quoted}/change/?_changelist_filters=q%3Dsale",
    ],
)
def test_a_chosen_row_is_replaced_by_a_typed_id_or_address(shirts: ProductCategory, text: str) -> None:
    client, sale = superuser(), CategoryFactory(name="Sale")
    typed = text.format(pk=sale.pk, quoted=quote(sale.pk))
    submit(client, page_of(shirts), sent(client, page_of(shirts), **{"parent_category-typed": typed}))
    shirts.refresh_from_db()
    assert shirts.parent_category == sale


def test_an_empty_text_field_changes_nothing(shirts: ProductCategory) -> None:
    client, before = superuser(), shirts.parent_category
    page = sent(client, page_of(shirts))
    assert page["parent_category-typed"] == [""]
    submit(client, page_of(shirts), page)
    shirts.refresh_from_db()
    assert shirts.parent_category == before


@pytest.mark.parametrize("text", ["pcat_none", "{pk} {pk}", "Shirts", "a\0b", "/admin/catalog/product/x/change/"])
def test_text_that_names_no_row_is_refused_and_shown_again(shirts: ProductCategory, text: str) -> None:
    client, typed = superuser(), text.format(pk=shirts.parent_category_id)
    answer = client.post(page_of(shirts), sent(client, page_of(shirts), **{"parent_category-typed": typed}))
    assert [*errors(answer)] == ["parent_category"]
    assert filled_in(answer)["parent_category-typed"] != [""]


def test_several_typed_rows_are_added_to_the_chosen_ones() -> None:
    old, red, blue = (ProductTagFactory(value=value) for value in ("old", "red", "blue"))
    shirt, client = ProductFactory(tags=[old]), superuser()
    page = f"/admin/catalog/product/{shirt.pk}/change/"
    typed = f"{red.pk}, /admin/catalog/producttag/{quote(blue.pk)}/change/"
    submit(client, page, sent(client, page, **{"tags-typed": typed}))
    assert {*shirt.tags.all()} == {old, red, blue}
    answer = client.post(page, sent(client, page, **{"tags-typed": f"{red.pk} ptag_none"}))
    assert [*errors(answer)] == ["tags"]
    assert filled_in(answer)["tags-typed"] == ["ptag_none"]


def test_more_ids_than_a_form_has_fields_are_refused_before_each_is_checked(settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = most = 200
    product, tag, client = ProductFactory(), ProductTagFactory(), superuser()
    page = f"/admin/catalog/product/{product.pk}/change/"
    answer = client.post(page, sent(client, page, **{"tags-typed": f"{tag.pk} " * (most + 1)}))
    assert errors(answer) == {"tags": ["At most 200 can be chosen at once."]}
    submit(client, page, sent(client, page, **{"tags-typed": f"{tag.pk} " * most}))
    answer = client.post(page, sent(client, page, **{"tags-typed": " ".join(f"ptag_{n}" for n in range(9 * most))}))
    assert errors(answer) == {"tags": ["At most 200 can be chosen at once."]}
    assert len(filled_in(answer)["tags-typed"][0].split()) == most + 1
    assert [*product.tags.all()] == [tag]


def test_pickers_in_tables_have_the_text_field() -> None:
    variant, item, client = VariantFactory(), InventoryItemFactory(), superuser()
    page = f"/admin/catalog/productvariant/{variant.pk}/change/"
    given = row(sent(client, page), "inventory_links", **{"inventory_item-typed": item.pk, "required_quantity": "1"})
    submit(client, f"{page}?rows=1", given)
    assert VariantInventoryItem.objects.get().inventory_item == item


def test_the_pickers_of_a_price_list_have_the_text_field() -> None:
    RegionFactory(currency_id="usd")
    variant, client, page = VariantFactory(), superuser(), "/admin/catalog/pricelist/add/"
    price(variant, 10, "eur")
    given = sent(client, page, title="Summer", **{"products-typed": variant.product_id, "reduce_by": "10"})
    given = row(given, "prices", **{"variant-typed": variant.pk, "currency": "usd", "amount": "5"})
    submit(client, page, given)
    prices = Price.objects.filter(price_list__title="Summer", price_set__variant=variant).order_by("currency_id")
    assert list(prices.values_list("currency_id", "amount")) == [("eur", Decimal(9)), ("usd", Decimal(5))]


def test_store_credit_is_given_to_a_typed_customer() -> None:
    RegionFactory(currency_id="usd")
    ann, client, page = CustomerFactory(), superuser(), "/admin/giftcards/storecreditaccount/give/"
    assert "required" not in re.search(r'<select name="customer".*?>', client.get(page).content.decode())[0]  # type: ignore[index]
    given = {"customer-typed": ann.pk, "currency": "usd", "amount": "7", "reason": "sorry"}
    assert client.post(page, sent(client, page, **given)).status_code == 302
    assert StoreCreditAccount.objects.get().customer == ann


def test_the_pickers_of_a_new_product_have_the_text_field() -> None:
    tag, client, page = ProductTagFactory(), superuser(), "/admin/catalog/product/add/"
    submit(client, page, sent(client, page, title="Shirt", **{"tags-typed": tag.pk}))
    assert [*Product.objects.get().tags.all()] == [tag]
