"""Search documents and entries are updated in the transaction of every writer, on both databases."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction

from catalog import search
from catalog.models import Product, ProductCategory, ProductSearch, ProductVariant
from catalog.products import statuses
from catalog.products.product_editing import details, variant_details
from catalog.search.rebuilding import documented
from catalog.states import ProductStatus
from kit.domain.actor import SYSTEM
from kit.editing.changes import Changes
from kit.search.documents import columns_of, document_field
from kit.writes.insertion import insert
from shop.models import SalesChannel, Store
from tests.contract.callers import Caller, storefront
from tests.factories.apikeys import publishable_key
from tests.factories.catalog import CategoryFactory
from tests.factories.products import OptionFactory, ProductFactory, VariantFactory
from tests.factories.shop import SalesChannelFactory
from tests.kit.admin.forms import sent, submit
from tests.kit.admin.visits import superuser

pytestmark = pytest.mark.django_db


@pytest.fixture
def store() -> Caller:
    return storefront(publishable_key())


def stored() -> dict[Any, Any]:
    """All that is searched, as stored: documents, and entries without their numbers."""
    documents = {
        row.pk: row.document for model in documented() for row in model._default_manager.only("pk", "document")
    }
    columns = ("product_id", "terms", "marked", "is_shown", "channels")
    entries = {
        key: (terms, marked, shown, sorted(channels.split()))
        for key, terms, marked, shown, channels in ProductSearch.objects.values_list(*columns)
    }
    return {**documents, **{("entry", key): entry for key, entry in entries.items()}}


def assert_fresh() -> None:
    """Every document is what its columns make it, every entry what its product and variants make it."""
    for model in documented():
        for row in model._default_manager.all():
            assert row.document == document_field(model).built(
                [getattr(row, column) for column in columns_of(model)]
            ), row
    kept = stored()
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM catalog_productsearch")
        call_command("rebuild_search", verbosity=0)
        assert kept == stored()


@pytest.fixture(autouse=True)
def shop() -> Iterator[None]:
    """Two products with variants, one of them deleted. Checks after each test that all entries are up to date."""
    for title in ("Green Tea", "Crème T-Shirt"):
        product = ProductFactory(title=title, description=f"{title}, (fine).")
        option = OptionFactory(title="Size", product=product, values=["Small", "Gone"])
        for value in option.values.all():
            code = f"{title[:3]}-{value.value[0]}"
            VariantFactory(title=value.value, sku=code, product=product, options=[value])
    variant_details.VERBS.delete(actor=SYSTEM, ids=[ProductVariant.objects.get(sku="Gre-G").pk])
    assert_fresh()
    yield
    assert_fresh()


def tea() -> Product:
    return Product.objects.get(title="Green Tea")


def small() -> ProductVariant:
    return ProductVariant.objects.get(sku="Gre-S")


def found(store: Caller, word: str) -> list[str]:
    answer = store.get("/store/products", f"fields=title&q={word}").json()
    assert answer["count"] == len(answer["products"])
    return [product["title"] for product in answer["products"]]


def raw(statement: str) -> Callable[[], None]:
    def run() -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement)

    return run


def _elsewhere() -> SalesChannel:
    return SalesChannel.objects.filter(name="Elsewhere").first() or SalesChannelFactory(name="Elsewhere")


def _saved(row: Any, **columns: Any) -> None:
    for name, value in columns.items():
        setattr(row, name, value)
    row.save(update_fields=[*columns])


TEXTS: dict[str, tuple[Callable[[], Any], str]] = {
    "a product is saved": (lambda: _saved(tea(), title="Black Mug"), "mug"),
    "a variant is saved": (lambda: _saved(small(), sku="Mug-9"), "ug-9"),
    "a variant is made": (lambda: VariantFactory(title="Mug", product=tea()), "mug"),
    "products are updated": (lambda: Product.objects.filter(title="Green Tea").update(subtitle="A mug"), "mug"),
    "variants are updated": (lambda: ProductVariant.objects.filter(sku="Gre-S").update(upc="mug"), "mug"),
    "variants are updated in bulk": (
        lambda: ProductVariant.objects.bulk_update([_with(small(), title="Mug")], ["title"]),
        "mug",
    ),
    "variants are made in bulk": (
        lambda: ProductVariant.objects.bulk_create([ProductVariant(title="Mug", product=tea())]),
        "mug",
    ),
    "variants are copied in": (lambda: insert([ProductVariant(title="Mug", product=tea())]), "mug"),
    "a variant is restored": (
        lambda: variant_details.VERBS.restore(actor=SYSTEM, ids=[ProductVariant.objects.get(sku="Gre-G").pk]),
        "gre-g",
    ),
}


def _with(row: Any, **columns: Any) -> Any:
    for name, value in columns.items():
        setattr(row, name, value)
    return row


@pytest.mark.parametrize("name", TEXTS)
def test_new_words_are_found(name: str, store: Caller) -> None:
    write, word = TEXTS[name]
    assert found(store, word) == []
    write()
    assert len(found(store, word)) == 1


def test_words_that_are_gone_are_not_found(store: Caller) -> None:
    assert found(store, "gre-s") == ["Green Tea"]
    variant_details.VERBS.delete(actor=SYSTEM, ids=[small().pk])
    assert found(store, "gre-s") == []
    ProductVariant.objects.filter(sku__startswith="Cr").delete()
    assert found(store, "-s") == []


def test_a_variant_may_come_to_another_product(store: Caller) -> None:
    other = Product.objects.exclude(pk=tea().pk).get()
    _saved(small(), product=other)
    assert found(store, "gre-s") == [other.title]


HIDDEN: dict[str, Callable[[], Any]] = {
    "a draft": lambda: statuses.set_product_status(actor=SYSTEM, product_id=tea().pk, status=ProductStatus.DRAFT),
    "deleted": lambda: details.VERBS.delete(actor=SYSTEM, ids=[tea().pk]),
    "taken out of the channel": lambda: tea().sales_channels.set([]),
    "moved to another channel": lambda: tea().sales_channels.set([_elsewhere()]),
    "unlinked past Django": raw(
        "DELETE FROM catalog_product_sales_channels "
        "WHERE product_id IN (SELECT id FROM catalog_product WHERE title = 'Green Tea')"
    ),
    "rejected past Django": raw("UPDATE catalog_product SET status = 'rejected' WHERE title = 'Green Tea'"),
    "deleted past Django": raw("UPDATE catalog_product SET deleted_at = created_at WHERE title = 'Green Tea'"),
}
SHOWN: dict[str, Callable[[], Any]] = {
    "a draft": lambda: statuses.set_product_status(actor=SYSTEM, product_id=tea().pk, status=ProductStatus.PUBLISHED),
    "deleted": lambda: details.VERBS.restore(actor=SYSTEM, ids=[tea().pk]),
    "taken out of the channel": lambda: tea().sales_channels.add(Store.objects.get().default_sales_channel),
    "moved to another channel": lambda: tea().sales_channels.set([Store.objects.get().default_sales_channel]),
    "unlinked past Django": raw(
        "INSERT INTO catalog_product_sales_channels (product_id, saleschannel_id) "
        "SELECT p.id, s.default_sales_channel_id FROM catalog_product p, shop_store s WHERE p.title = 'Green Tea'"
    ),
    "rejected past Django": raw("UPDATE catalog_product SET status = 'published' WHERE title = 'Green Tea'"),
    "deleted past Django": raw("UPDATE catalog_product SET deleted_at = NULL WHERE title = 'Green Tea'"),
}


@pytest.mark.parametrize("name", HIDDEN)
def test_the_index_is_a_gate(name: str, store: Caller) -> None:
    """What hides a product hides it from every search at once, and what shows it again shows it."""
    assert found(store, "green") == ["Green Tea"]
    HIDDEN[name]()
    assert found(store, "green") == []
    assert found(store, "creme") == ["Crème T-Shirt"]
    assert_fresh()
    SHOWN[name]()
    assert found(store, "green") == ["Green Tea"]


def test_products_of_several_channels_are_in_each(store: Caller) -> None:
    tea().sales_channels.add(_elsewhere())
    assert found(store, "green") == ["Green Tea"]
    tea().sales_channels.remove(Store.objects.get().default_sales_channel)
    assert found(store, "green") == []


def test_a_product_that_is_gone_leaves_no_entry() -> None:
    raw("DELETE FROM catalog_productvariant WHERE sku LIKE 'Gre%'")()
    tea().options.all().delete()
    tea().sales_channels.clear()
    raw("DELETE FROM catalog_product WHERE title = 'Green Tea'")()
    assert ProductSearch.objects.count() == 1


@pytest.mark.parametrize("model", documented(), ids=lambda model: model.__name__)
def test_no_way_of_writing_forgets_the_document(model: Any) -> None:
    if model is ProductCategory:
        CategoryFactory(name="Drinks")
    row = model.objects.first() or model(**{columns_of(model)[0]: "first"})
    column = columns_of(model)[0]
    for write in (
        lambda: (setattr(row, column, "saved"), row.save()),
        lambda: _saved(row, **{column: "saved in part"}),
        lambda: model.objects.filter(pk=row.pk).update(**{column: "updated"}),
        lambda: model.objects.bulk_update([_with(row, **{column: "updated in bulk"})], [column]),
    ):
        write()
        assert_fresh()


def test_the_shop_files_writers_keep_them(tmp_path: Any, store: Caller) -> None:
    file = tmp_path / "shop.json"
    call_command("dump_shop", str(file), verbosity=0)
    text = file.read_text()
    file.write_text(text.replace("Small", "Mug").replace("Green Tea", "Black Tea").replace("published", "draft", 1))
    call_command("load_shop", str(file), verbosity=0)
    assert_fresh()
    assert found(store, "green") == []


def test_a_text_that_is_saved_while_a_file_is_loaded_is_not_forgotten(store: Caller) -> None:
    """The file's own change is another column's, of a row that was read before."""
    changes, row = Changes(Product), tea()
    Product.objects.filter(pk=row.pk).update(title="Black Mug")
    assert changes.change(row, {"subtitle": "Whole leaves"})
    changes.write()
    assert found(store, "mug") == found(store, "whole") == ["Black Mug"]


def test_the_admin_forms_keep_them(store: Caller) -> None:
    client = superuser()
    page = f"/admin/catalog/product/{tea().pk}/change/?tables=1"
    submit(client, page, sent(client, page, title="Black Tea", **{"variants-0-title": "Mug"}))
    assert found(store, "mug") == ["Black Tea"]
    page = f"/admin/catalog/productvariant/{small().pk}/change/"
    submit(client, page, sent(client, page, ean="4006381333931"))
    assert found(store, "38133") == ["Black Tea"]
    submit(client, f"/admin/catalog/productvariant/{small().pk}/delete/", {"post": ["yes"]})
    assert found(store, "mug") == []


@pytest.mark.postgresql
def test_the_words_of_a_product_are_computed_once() -> None:
    ids = [product.pk for product in ProductFactory.create_batch(3)]
    with connection.cursor() as cursor:
        cursor.execute("UPDATE catalog_productsearch SET terms = '' WHERE product_id = ANY(%s)", [ids])
        cursor.execute("SET LOCAL track_functions = 'all'")
        search.refresh(ids)
        cursor.execute("SELECT calls FROM pg_stat_xact_user_functions WHERE funcname = 'catalog_search_terms'")
        assert cursor.fetchone() == (3,)


def test_every_trigger_is_there() -> None:
    assert search.missing(connection) == []


def test_a_forgotten_document_is_noticed() -> None:
    """The comparison above can fail: a text that was changed without Django differs from its document."""
    raw("UPDATE catalog_product SET title = 'Mug' WHERE title = 'Green Tea'")()
    with pytest.raises(AssertionError):
        assert_fresh()
    call_command("rebuild_search", verbosity=0)
