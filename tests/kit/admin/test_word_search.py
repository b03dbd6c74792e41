"""Lists and pickers of rows with documents are searched as `q` of the API is, the best matches first."""

from collections.abc import Callable

import pytest
from django.db.models import Model

from catalog.models import InventoryItem, PriceList, ProductTag
from customers.models import Customer, CustomerGroup
from kit.admin.lists import word_search
from orders.models import ReturnReason
from tests.factories.catalog import CategoryFactory
from tests.factories.customers import CustomerFactory
from tests.factories.products import ProductFactory, VariantFactory
from tests.factories.shop import RegionFactory, SalesChannelFactory
from tests.kit.admin.visits import superuser

pytestmark = pytest.mark.django_db


def listed(path: str, search: str, **more: str) -> list[str]:
    answer = superuser().get(f"/admin/catalog/{path}/", {"q": search, **more})
    return [str(row) for row in answer.context["cl"].result_list]


def test_variants_are_found_by_their_own_texts_and_the_products_title() -> None:
    tea = ProductFactory(title="Þórður’s Assam", description="Malty")
    small, tin = (
        VariantFactory(product=tea, title=title, sku=sku) for title, sku in (("Small", "A‑1"), ("Tin", "SMALL-2"))
    )
    VariantFactory(product=ProductFactory(title="Mug"), title="Assam blue")
    assert listed("productvariant", "thordurs") == ["Small", "Tin"]
    assert listed("productvariant", "a-1") == ["Small"]
    assert listed("productvariant", "small") == ["Small", "Tin"]
    assert listed("productvariant", "tin ssam") == ["Tin"]
    assert listed("productvariant", "assam") == ["Assam blue", "Small", "Tin"]
    assert listed("productvariant", "malty") == []
    assert listed("productvariant", tin.pk) == ["Tin"]
    assert listed("productvariant", "small", o="-1") == ["Tin", "Small"]
    assert small.pk != tin.pk


def test_pickers_list_the_best_first() -> None:
    for value in ("Assorted teas", "Blacktea", "Tea", "Tea bags", "Weiße Tées"):
        ProductTag.objects.create(value=value)
    choices = {"app_label": "catalog", "model_name": "product", "field_name": "tags", "term": "tea"}
    answer = superuser().get("/admin/autocomplete/", choices)
    assert [one["text"] for one in answer.json()["results"]] == ["Tea", "Tea bags", "Assorted teas", "Blacktea"]
    answer = superuser().get("/admin/autocomplete/", {**choices, "term": "weisse tees"})
    assert [one["text"] for one in answer.json()["results"]] == ["Weiße Tées"]


def test_categories_are_found_in_every_script() -> None:
    above = CategoryFactory(name="日本茶")
    CategoryFactory(name="宇治抹茶", parent=above)
    assert listed("productcategory", "抹茶") == ["宇治抹茶"]
    assert listed("productcategory", "日本 / 抹茶") == ["宇治抹茶"]


def test_customers_are_found_as_staff_type_their_names() -> None:
    CustomerFactory(email="x@example.com", first_name="Søren", last_name="O’Brien", company_name="Weiß & Söhne")
    CustomerFactory(email="brien@example.com", first_name="Ann", last_name="Lee")
    client = superuser()
    for search in ("soren", "SØREN o'brien", "obrien weiss", "sohne x@example"):
        answer = client.get("/admin/customers/customer/", {"q": search})
        assert [row.email for row in answer.context["cl"].result_list] == ["x@example.com"]
    answer = client.get("/admin/customers/customer/", {"q": "brien"})
    assert [row.email for row in answer.context["cl"].result_list] == ["brien@example.com", "x@example.com"]


def test_erased_and_changed_customers_are_found_by_their_new_names() -> None:
    row = CustomerFactory(first_name="Søren")
    Customer.objects.filter(pk=row.pk).update(first_name="Łukasz")
    found = superuser().get("/admin/customers/customer/", {"q": "lukasz"}).context["cl"].result_list
    assert [each.pk for each in found] == [row.pk]
    assert "soren" not in Customer.objects.get(pk=row.pk).document


SMALL: dict[str, Callable[[], Model]] = {
    "customers/customergroup": lambda: CustomerGroup.objects.create(name="Søren’s Weiße Łódź"),
    "catalog/pricelist": lambda: PriceList.objects.create(title="Søren’s", description="Weiße Łódź"),
    "catalog/inventoryitem": lambda: InventoryItem.objects.create(sku="SØREN’S", title="Weiße Łódź"),
    "shop/region": lambda: RegionFactory(name="Søren’s Weiße Łódź"),
    "shop/saleschannel": lambda: SalesChannelFactory(name="Søren’s", description="Weiße Łódź"),
    "orders/returnreason": lambda: ReturnReason.objects.create(label="Søren’s Weiße Łódź", value="x"),
}


@pytest.mark.parametrize("path", SMALL)
def test_words_are_folded_in_small_tables_without_documents(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    row, client = SMALL[path](), superuser()

    def found(search: str) -> list[object]:
        answer = client.get(f"/admin/{path}/", {"q": search})
        return [each.pk for each in answer.context["cl"].result_list if each.pk == row.pk]

    for search in ("sorens weisse lodz", "LODZ 'soren", '"Weiße Łódź"', "ód", str(row.pk)):
        assert found(search) == [row.pk], search
    assert found("sorens weisse black") == []
    monkeypatch.setattr(word_search, "MOST_FOLDED", 0)
    assert found("lodz") == []
    assert found("Łódź") == [row.pk]
