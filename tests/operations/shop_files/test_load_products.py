import copy
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext

from catalog.models import (
    InventoryItem,
    InventoryLevel,
    Price,
    PriceRule,
    Product,
    ProductImage,
    ProductOption,
    ProductOptionValue,
    ProductVariant,
    StockMovement,
    VariantInventoryItem,
)
from catalog.products.product_editing import details
from catalog.states import MovementReason
from catalog.stock.stock_movements import Move, record_movements
from kit.domain.actor import SYSTEM
from shop.models import Region, ShippingProfile, StockLocation
from tests.operations.shop_file_runs import TABLES, ShopFiles, everything
from tests.operations.tea_shop import BLACK, GREEN, SENCHA, shop, with_sencha

pytestmark = pytest.mark.django_db

LONG_AGO = datetime(2020, 2, 2, tzinfo=UTC)


@pytest.fixture
def tea(files: ShopFiles) -> ShopFiles:
    """Files of a shop into which the tea shop is loaded, long ago."""
    files.load(shop())
    for table in dated():
        table._default_manager.update(updated_at=LONG_AGO)
    return files


def dated() -> list[type[Model]]:
    return [table for table in TABLES if hasattr(table, "updated_at")]


def touched() -> dict[str, int]:
    """How many rows of each table have been written since."""
    counts = {table.__name__: table._default_manager.exclude(updated_at=LONG_AGO).count() for table in dated()}
    return {name: count for name, count in counts.items() if count}


def sencha() -> Product:
    return Product.objects.get(handle="sencha-asamushi")


def green() -> ProductVariant:
    return ProductVariant.objects.get(sku="SENCHA-50")


def base_prices(variant: ProductVariant) -> set[tuple[Any, ...]]:
    assert variant.price_set
    prices = variant.price_set.prices.filter(price_list=None)
    return set(prices.values_list("currency_id", "amount", "min_quantity", "max_quantity"))


def options_of(variant: ProductVariant) -> dict[str, str]:
    return dict(variant.options.values_list("option__title", "value"))


class TestANewProduct:
    def test_has_its_own_fields_and_what_it_names(self, tea: ShopFiles):
        product = sencha()
        assert (product.title, product.subtitle, product.status) == ("Sencha Asamushi", "First flush", "published")
        assert (product.description, product.thumbnail) == ("Grassy and clear.", "/media/sencha-1.jpg")
        assert (product.discountable, product.is_giftcard, product.external_id) == (False, False, "s-1")
        assert (product.width, product.weight, product.hs_code, product.origin_country) == (8, None, "0902.10", "jp")
        assert (product.type.value, product.collection.handle) == ("Leaf", "spring-picks")  # type: ignore[union-attr]
        assert product.shipping_profile == ShippingProfile.objects.get(name="Parcel")
        assert sorted(product.tags.values_list("value", flat=True)) == ["new", "organic"]
        assert list(product.categories.values_list("handle", flat=True)) == ["tea"]
        assert sorted(product.sales_channels.values_list("name", flat=True)) == ["App", "Web"]
        assert product.metadata == {"steep": [1, 2.5]}

    def test_is_a_draft_without_anything_unless_the_file_says_so(self, files: ShopFiles):
        files.load({"products": [{"title": "Cup"}]})
        cup = Product.objects.get()
        assert (cup.handle, cup.status, cup.discountable, cup.metadata) == ("cup", "draft", True, None)
        assert (cup.variants.count(), cup.options.count(), cup.sales_channels.count()) == (0, 0, 0)

    def test_has_images_in_the_order_of_the_file(self, tea: ShopFiles):
        images = sencha().images.order_by("rank").values_list("url", "rank")
        assert list(images) == [("/media/sencha-1.jpg", 0), ("/media/sencha-2.jpg", 1)]

    def test_has_options_and_variants_with_a_value_of_each(self, tea: ShopFiles):
        options = sencha().options.order_by("pk")
        assert [(one.title, [value.value for value in one.values.order_by("pk")]) for one in options] == [
            ("Size", ["50 g", "100 g"]),
            ("Tin", ["Green", "Black"]),
        ]
        assert options_of(green()) == {"Size": "50 g", "Tin": "Green"}

    def test_has_variants_in_the_order_of_the_file(self, tea: ShopFiles):
        variants = sencha().variants.order_by("variant_rank")
        assert list(variants.values_list("sku", "variant_rank")) == [("SENCHA-50", 0), ("SENCHA-50-B", 1)]
        assert (green().barcode, green().ean, green().upc) == ("4006381333931", "4006381333931", "036000291452")
        assert (green().allow_backorder, green().weight, green().material) == (True, 62.5, "paper")
        assert green().metadata == {"harvest": 2026}

    def test_has_prices_in_major_units_with_their_bounds_and_rules(self, tea: ShopFiles):
        assert base_prices(green()) == {
            ("eur", Decimal("9.5"), None, None),
            ("eur", Decimal(8), 10, 99),
            ("usd", Decimal(11), None, None),
            ("usd", Decimal(5), None, None),
        }
        america = Region.objects.get(name="America")
        rules = PriceRule.objects.filter(price__price_set__variant=green())
        assert set(rules.values_list("price__amount", "attribute", "operator", "value")) == {
            (Decimal(11), "region_id", "eq", america.pk),
            (Decimal(5), "customer.groups.id", "eq", "staff"),
        }

    def test_has_no_price_set_before_its_first_price(self, tea: ShopFiles):
        cup = ProductVariant.objects.get(title="Cup")
        assert cup.price_set is None
        tea.load({"products": [{"handle": "cup", "variants": [{"title": "Cup", "prices": []}]}]})
        cup.refresh_from_db()
        assert cup.price_set is None
        prices = [{"currency_code": "eur", "amount": 4}]
        tea.load({"products": [{"handle": "cup", "variants": [{"title": "Cup", "prices": prices}]}]})
        cup.refresh_from_db()
        assert base_prices(cup) == {("eur", Decimal(4), None, None)}

    def test_has_stock_by_location_in_an_item_with_the_sku(self, tea: ShopFiles):
        item = InventoryItem.objects.get(sku="SENCHA-50")
        assert list(item.variants.all()) == [green()]
        assert dict(item.levels.values_list("location__name", "stocked_quantity")) == {"Dock": 12, "Attic": 0}
        assert VariantInventoryItem.objects.get(variant=green()).required_quantity == 1
        assert InventoryItem.objects.count() == 2

    def test_keeps_given_ids_and_dates_of_creation(self, files: ShopFiles):
        variant = {"id": "variant_OLD", "title": "Cup", "created_at": "2024-01-01T00:00:00Z", "variant_rank": 7}
        cup = {"id": "prod_OLD", "title": "Cup", "created_at": "2023-01-01T00:00:00Z", "variants": [variant]}
        files.load({"products": [cup]})
        made = ProductVariant.objects.get()
        assert (made.pk, made.product_id, made.variant_rank) == ("variant_OLD", "prod_OLD", 7)
        assert made.created_at == datetime(2024, 1, 1, tzinfo=UTC)
        assert made.product.created_at == datetime(2023, 1, 1, tzinfo=UTC)


class TestASecondLoad:
    def test_changes_no_row(self, tea: ShopFiles):
        before = everything()
        lines = tea.load(shop())
        assert everything() == before
        assert "products: 0 created, 0 updated, 2 unchanged" in lines

    def test_of_a_dump_changes_no_row(self, tea: ShopFiles):
        before = everything()
        content = tea.dump()
        lines = tea.load(content)
        assert everything() == before
        assert lines == [f"{key}: 0 created, 0 updated, {len(objects)} unchanged" for key, objects in content.items()]

    def test_writes_what_differs_and_nothing_else(self, tea: ShopFiles):
        prices = copy.deepcopy(GREEN["prices"])
        prices[0]["amount"] = 10
        lines = tea.load(with_sencha(variants=[{**GREEN, "prices": prices, "inventory": {"Dock": 11}}]))
        assert lines == ["products: 0 created, 1 updated, 0 unchanged"]
        assert touched() == {"Price": 1, "InventoryLevel": 1, "ProductVariant": 1, "Product": 1}  # these show the price
        assert ("eur", Decimal(10), None, None) in base_prices(green())
        assert InventoryLevel.objects.get(stocked_quantity=11).movements.count() == 2
        assert StockMovement.objects.count() == 3

    def test_leaves_alone_what_it_does_not_give(self, tea: ShopFiles):
        lines = tea.load({"products": [{"handle": "sencha-asamushi", "subtitle": "Second flush"}]})
        assert lines == ["products: 0 created, 1 updated, 0 unchanged"]
        assert touched() == {"Product": 1}
        assert sencha().subtitle == "Second flush"

    def test_takes_null_for_a_value(self, tea: ShopFiles):
        nothing = {"subtitle": None, "type": None, "collection": None, "shipping_profile": None, "width": None}
        tea.load({"products": [{"handle": "sencha-asamushi", **nothing}]})
        product = sencha()
        assert (product.subtitle, product.type, product.collection, product.shipping_profile) == (None,) * 4
        assert product.width is None

    def test_finds_products_by_id_to_rename_them(self, tea: ShopFiles):
        product, variant = sencha(), green()
        renamed = {"id": variant.pk, "sku": "S-50", "title": "Small"}
        tea.load({"products": [{"id": product.pk, "title": "Sencha", "handle": "sencha", "variants": [renamed]}]})
        product.refresh_from_db()
        variant.refresh_from_db()
        assert (product.title, product.handle) == ("Sencha", "sencha")
        assert (variant.sku, variant.title) == ("S-50", "Small")
        assert options_of(variant) == {"Size": "50 g", "Tin": "Green"}

    def test_keeps_the_handle_of_a_product_found_by_id(self, tea: ShopFiles):
        tea.load({"products": [{"id": sencha().pk, "title": "Sencha"}]})
        assert sencha().title == "Sencha"


class TestLists:
    @pytest.mark.parametrize(
        ("name", "given", "left"),
        [("tags", ["new"], ["new"]), ("categories", [], []), ("sales_channels", ["App"], ["App"])],
    )
    def test_of_names_are_all_that_there_is(self, tea: ShopFiles, name, given, left):
        tea.load(with_sencha(**{name: given}))
        words = {"tags": "value", "categories": "handle", "sales_channels": "name"}
        assert list(getattr(sencha(), name).values_list(words[name], flat=True)) == left

    def test_of_images_are_all_that_there_is_and_kept_ones_stay_the_same_rows(self, tea: ShopFiles):
        second = sencha().images.get(url="/media/sencha-2.jpg").pk
        tea.load(with_sencha(images=["/media/new.jpg", "/media/sencha-2.jpg"]))
        assert list(sencha().images.order_by("rank").values_list("url", flat=True)) == [
            "/media/new.jpg",
            "/media/sencha-2.jpg",
        ]
        assert ProductImage.objects.get(url="/media/sencha-2.jpg").pk == second

    def test_of_prices_are_all_that_a_variant_costs(self, tea: ShopFiles):
        tea.load(with_sencha(variants=[{**GREEN, "prices": [{"currency_code": "eur", "amount": 9.5}]}]))
        assert base_prices(green()) == {("eur", Decimal("9.5"), None, None)}
        assert touched() == {}
        assert Price.objects.exclude(price_list=None).count() == 3

    def test_of_variants_leave_those_that_they_do_not_name(self, tea: ShopFiles):
        before = everything()
        tea.load(with_sencha(variants=[GREEN]))
        assert everything() == before

    def test_of_variants_add_new_ones_behind_the_others(self, tea: ShopFiles):
        big = {"title": "100 g", "sku": "SENCHA-100", "options": {"Size": "100 g", "Tin": "Green"}}
        tea.load(with_sencha(variants=[big]))
        assert ProductVariant.objects.get(sku="SENCHA-100").variant_rank == 2
        assert sencha().variants.count() == 3

    def test_of_options_take_values_away_that_no_variant_has(self, tea: ShopFiles):
        kept = ProductOptionValue.objects.get(value="50 g").pk
        options = [{"title": "Size", "values": ["50 g"]}, SENCHA["options"][1]]
        tea.load(with_sencha(options=options))
        assert list(ProductOptionValue.objects.filter(option__title="Size").values_list("pk", flat=True)) == [kept]

    def test_of_options_may_be_others_when_the_variants_follow(self, tea: ShopFiles):
        variants = [{**GREEN, "options": {"Weight": "50"}}, {**BLACK, "options": {"Weight": "51"}}]
        tea.load(with_sencha(options=[{"title": "Weight", "values": ["50", "51"]}], variants=variants))
        assert list(ProductOption.objects.values_list("title", flat=True)) == ["Weight"]
        assert options_of(green()) == {"Weight": "50"}


class TestStock:
    def test_without_location_is_that_of_the_only_one(self, files: ShopFiles):
        StockLocation.objects.create(name="Dock")
        files.load({"products": [{"title": "Cup", "variants": [{"title": "Cup", "inventory_quantity": 5}]}]})
        assert list(InventoryLevel.objects.values_list("location__name", "stocked_quantity")) == [("Dock", 5)]
        assert InventoryItem.objects.get().sku is None

    def test_without_location_is_that_of_the_only_one_of_the_same_file(self, files: ShopFiles):
        cup = {"title": "Cup", "variants": [{"title": "Cup", "inventory_quantity": 5}]}
        files.load({"products": [cup], "stock_locations": [{"name": "Dock"}]})
        assert list(InventoryLevel.objects.values_list("location__name", "stocked_quantity")) == [("Dock", 5)]

    def test_is_moved_by_the_file_and_left_alone_by_the_same_file(self, files: ShopFiles):
        StockLocation.objects.create(name="Dock")
        for quantity in (5, 5, 7, 0):
            tin = {"title": "Tin", "sku": "tin", "inventory_quantity": quantity}
            files.load({"products": [{"title": "Cup", "handle": "cup", "variants": [tin]}]})
        moved = StockMovement.objects.order_by("pk").values_list("reason", "stocked_before", "stocked_after")
        assert list(moved) == [("import", 0, 5), ("import", 5, 7), ("import", 7, 0)]
        assert InventoryLevel.objects.get().stocked_quantity == 0

    def test_below_zero_stays_where_the_file_has_what_was_dumped(self, tea: ShopFiles):
        level = InventoryLevel.objects.get(stocked_quantity=12)
        shipped = Move(level, -3, backordered=15)
        record_movements([shipped], actor=SYSTEM, reason=MovementReason.FULFILLMENT, reference_id="ful_1")
        content = tea.dump()
        assert content["products"][0]["variants"][0]["inventory"]["Dock"] == 0
        tea.load(content)
        level.refresh_from_db()
        assert (level.stocked_quantity, level.movements.count()) == (-3, 2)

    def test_of_locations_that_are_not_named_stays(self, tea: ShopFiles):
        tea.load(with_sencha(variants=[{**GREEN, "inventory": {"Attic": 4}}]))
        levels = InventoryItem.objects.get(sku="SENCHA-50").levels
        assert dict(levels.values_list("location__name", "stocked_quantity")) == {"Dock": 12, "Attic": 4}

    def test_goes_to_the_item_that_has_the_sku_already(self, files: ShopFiles):
        StockLocation.objects.create(name="Dock")
        item = InventoryItem.objects.create(sku="CUP")
        variant = {"title": "Cup", "sku": "CUP", "inventory": {"Dock": 2}}
        files.load({"products": [{"title": "Cup", "variants": [variant]}]})
        assert InventoryItem.objects.count() == 1
        assert list(item.variants.values_list("sku", flat=True)) == ["CUP"]

    def test_goes_to_the_item_with_the_stored_sku_where_the_file_names_none(self, files: ShopFiles):
        StockLocation.objects.create(name="Dock")
        files.load({"products": [{"title": "Cup", "variants": [{"title": "Cup", "sku": "CUP"}]}]})
        item = InventoryItem.objects.create(sku="CUP")
        cup = ProductVariant.objects.get()
        files.load({"products": [{"title": "Cup", "variants": [{"id": cup.pk, "inventory_quantity": 2}]}]})
        assert list(InventoryItem.objects.values_list("pk", "variants")) == [(item.pk, cup.pk)]

    def test_of_a_deleted_variants_item_is_that_of_its_successor(self, files: ShopFiles):
        StockLocation.objects.create(name="Dock")
        first, second = (
            {"products": [{"title": title, "variants": [{"title": title, "sku": "CUP", "inventory": {"Dock": 2}}]}]}
            for title in ("Cup", "Mug")
        )
        files.load(first)
        details.VERBS.delete(actor=SYSTEM, ids=[ProductVariant.objects.get().product_id])
        files.load(second)
        assert InventoryItem.objects.count() == 1
        assert files.dump()["products"][0]["variants"][0]["inventory"] == {"Dock": 2}


def test_statements_follow_batches_and_not_objects(files: ShopFiles):
    def statements(count: int, start: int) -> tuple[int, int]:
        products = []
        for number in range(start, start + count):
            product = copy.deepcopy({**SENCHA, "title": f"Sencha {number}", "handle": f"sencha-{number}"})
            for variant in product["variants"]:
                codes = {name: f"{name}-{number}" for name in ("barcode", "ean", "upc") if name in variant}
                variant.update(codes, sku=f"{variant['sku']}-{number}", id=f"variant_{variant['sku'][-1]}{number}")
            products.append({**product, "id": f"prod_{number}"})
        with CaptureQueriesContext(connection) as first:
            files.load({"products": products})
        with CaptureQueriesContext(connection) as second:
            files.load({"products": products})
        # SQLite needs an INSERT for every few rows.
        return sum(not query["sql"].startswith("INSERT") for query in first), len(second)

    files.load(shop(products=[], price_lists=[]))
    assert statements(3, 0) == statements(400, 1000)
