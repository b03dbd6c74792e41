"""Editing products as a whole: options, variants, prices and stock in one call."""

from decimal import Decimal
from itertools import groupby

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalog.errors import ProductNotFound
from catalog.models import InventoryLevel, Price, Product, ProductVariant, StockMovement
from catalog.products.product_editing.editing import edit_products
from catalog.products.product_editing.edits import (
    UNREAD,
    Cell,
    OptionState,
    PartChange,
    ProductEditRefused,
    ProductState,
    VariantState,
)
from kit.domain.actor import SYSTEM, Actor
from kit.errors import Forbidden
from tests.factories.inventory import InventoryItemFactory, StockLocationFactory, stock
from tests.factories.pricing import price
from tests.factories.products import OptionFactory, ProductFactory, VariantFactory

pytestmark = pytest.mark.django_db

STAFF = Actor(type="user", id="user_1", permitted=lambda permission: True)


def edit(product: Product, **wanted):
    (changes,) = edit_products(actor=STAFF, states=[ProductState(product.pk, **wanted)]).values()
    return changes


def refused(product: Product, **wanted) -> list[tuple[int | None, str, str]]:
    """The faults, after a look that nothing was written."""
    before = [list(model.objects.order_by("pk").values()) for model in (ProductVariant, Price, InventoryLevel)]
    with pytest.raises(ProductEditRefused) as refusal:
        edit(product, **wanted)
    assert [list(model.objects.order_by("pk").values()) for model in (ProductVariant, Price, InventoryLevel)] == before
    return [(fault.row, fault.column, fault.message) for fault in refusal.value.faults]


def cells(read: object = UNREAD, **values: object) -> dict[str, Cell]:
    return {name: Cell(value, read) for name, value in values.items()}


def a_shirt() -> Product:
    """With sizes S and M, and a variant of each, S for 10 usd and 3 in stock."""
    shirt = ProductFactory(title="Shirt")
    size = OptionFactory(product=shirt, title="Size", values=["S", "M"])
    small, _ = (
        VariantFactory(product=shirt, title=one.value, sku=f"shirt-{one.value}", options=[one], variant_rank=rank)
        for rank, one in enumerate(size.values.order_by("pk"))
    )
    price(small, 10)
    stock(small, 3, location=StockLocationFactory(name="Berlin"))
    return shirt


def named(product: Product) -> dict[str, list[str]]:
    """The option values of the variants that are not deleted, by title."""
    rows = ProductVariant.objects.not_deleted().filter(product=product).order_by("variant_rank")
    return {row.title: list(row.options.order_by("option__pk").values_list("value", flat=True)) for row in rows}


def variant(title: str) -> ProductVariant:
    return ProductVariant.objects.get(title=title)


class TestNewParts:
    def test_a_product_gets_options_variants_prices_and_stock_in_one_call(self):
        cup, berlin = ProductFactory(title="Cup"), StockLocationFactory(name="Berlin")
        changes = edit(
            cup,
            options=[OptionState("Size", ["S", "L"]), OptionState("Colour", ["Red"])],
            variants=[
                VariantState(
                    values=["S", "Red"],
                    attributes=cells(sku="cup-s", barcode="40001", weight=0.25),
                    prices=cells(usd=Decimal("7.50"), eur=Decimal(7)),
                    stock={berlin.pk: 12},
                ),
                VariantState(values=["L", "Red"], attributes=cells(title="Large")),
            ],
        )
        assert named(cup) == {"S / Red": ["S", "Red"], "Large": ["L", "Red"]}
        small = variant("S / Red")
        assert (small.sku, small.barcode, small.weight, small.variant_rank) == ("cup-s", "40001", 0.25, 0)
        assert set(small.price_set.prices.values_list("currency_id", "amount")) == {
            ("usd", Decimal("7.5")),
            ("eur", Decimal(7)),
        }
        level = InventoryLevel.objects.get()
        assert (level.inventory_item.sku, level.location, level.stocked_quantity) == ("cup-s", berlin, 12)
        assert list(StockMovement.objects.values_list("reason", "created_by")) == [("set", "user_1")]
        assert Product.objects.filter(search__terms__contains="40001").exists()
        assert [(change.action, change.name) for change in changes] == [
            ("added", "Size"),
            ("added", "Colour"),
            ("added", "S / Red"),
            ("added", "Large"),
        ]
        assert changes[2].fields == [
            "Price (none → $7.50)",
            "Price (none → 7,00\u00a0€)",
            "Stocked at Berlin (none → 12)",
        ]

    def test_an_item_with_the_sku_is_used(self):
        cup, item, berlin = ProductFactory(), InventoryItemFactory(sku="cup"), StockLocationFactory()
        edit(cup, variants=[VariantState(attributes=cells(title="Cup", sku="cup"), stock={berlin.pk: 2})])
        assert variant("Cup").inventory_items.get() == item
        assert item.levels.get().stocked_quantity == 2

    def test_variants_without_a_value_of_a_new_option_get_the_first(self):
        shirt = a_shirt()
        size = shirt.options.get()
        edit(
            shirt,
            options=[OptionState("Size", ["S", "M"], size.pk), OptionState("Colour", ["Red", "Blue"])],
            variants=[VariantState(values=["S", "Blue"])],
        )
        assert named(shirt) == {"S": ["S", "Red"], "M": ["M", "Red"], "S / Blue": ["S", "Blue"]}


class TestChanges:
    def test_cells_are_changed_and_described(self):
        shirt = a_shirt()
        small, berlin = variant("S"), InventoryLevel.objects.get().location
        changes = edit(
            shirt,
            variants=[
                VariantState(
                    small.pk,
                    attributes={"sku": Cell("ess1", "shirt-S"), "weight": Cell(1.5, None)},
                    prices={"usd": Cell(Decimal("12.50"), Decimal("10.00"))},
                    stock={berlin.pk: -1},
                )
            ],
        )
        small.refresh_from_db()
        assert (small.title, small.sku, small.weight) == ("S", "ess1", 1.5)
        assert small.price_set.prices.get(deleted_at=None).amount == Decimal("12.5")
        assert InventoryLevel.objects.get().stocked_quantity == 2
        assert changes == [
            PartChange(
                "changed",
                "product variant",
                "S",
                ["SKU", "Weight (none → 1.5)", "Price ($10.00 → $12.50)", "Stocked at Berlin (3 → 2)"],
            )
        ]
        assert Product.objects.filter(search__terms__contains="ess1").exists()

    def test_a_price_without_an_amount_is_deleted_and_other_prices_stay(self):
        shirt = a_shirt()
        small = variant("S")
        price(small, 8, min_quantity=10)
        edit(shirt, variants=[VariantState(small.pk, prices=cells(usd=None))])
        assert list(small.price_set.prices.filter(deleted_at=None).values_list("amount", "min_quantity")) == [(8, 10)]

    def test_nothing_new_changes_nothing(self):
        shirt = a_shirt()
        small, moment = variant("S"), variant("S").updated_at
        state = VariantState(small.pk, attributes=cells(sku="shirt-S"), prices=cells(usd=Decimal(10)))
        assert edit(shirt, variants=[state], options=[OptionState("Size", ["S", "M"], shirt.options.get().pk)]) == []
        assert variant("S").updated_at == moment

    def test_two_variants_exchange_their_codes_and_two_options_their_titles(self):
        shirt = a_shirt()
        size, colour = shirt.options.get(), OptionFactory(product=shirt, title="Colour", values=["Red"])
        edit(
            shirt,
            options=[OptionState("Colour", ["S", "M"], size.pk), OptionState("Size", ["Red"], colour.pk)],
            variants=[
                VariantState(variant("S").pk, attributes=cells(sku="shirt-M")),
                VariantState(variant("M").pk, attributes=cells(sku="shirt-S")),
            ],
        )
        assert (variant("S").sku, variant("M").sku) == ("shirt-M", "shirt-S")
        assert list(shirt.options.order_by("pk").values_list("title", flat=True)) == ["Colour", "Size"]

    def test_a_deleted_variant_frees_its_code_and_its_value(self):
        shirt = a_shirt()
        small, medium = variant("S"), variant("M")
        changes = edit(
            shirt,
            options=[OptionState("Size", ["S"], shirt.options.get().pk)],
            deleted=[medium.pk],
            variants=[VariantState(small.pk, attributes=cells(sku="shirt-M"))],
        )
        assert named(shirt) == {"S": ["S"]}
        medium.refresh_from_db()
        assert medium.deleted_at is not None
        assert medium.sku == "shirt-M"
        assert changes == [
            PartChange("changed", "product option", "Size", ["Values (S, M → S)"]),
            PartChange("deleted", "product variant", "M"),
            PartChange("changed", "product variant", "S", ["SKU"]),
        ]

    def test_an_option_is_deleted_if_the_variants_still_differ(self):
        shirt = a_shirt()
        assert refused(shirt, options=[]) == [
            (None, "values", "The variants 'S' and 'M' would have the same option values.")
        ]
        edit(shirt, options=[], deleted=[variant("M").pk])
        assert named(shirt) == {"S": []}
        assert shirt.options.get().deleted_at is not None

    def test_a_level_that_two_variants_share_gets_both_differences(self):
        shirt = a_shirt()
        level = InventoryLevel.objects.get()
        variant("M").inventory_links.create(inventory_item=level.inventory_item)
        berlin = level.location_id
        states = [VariantState(variant(title).pk, stock={berlin: number}) for title, number in (("S", 2), ("M", -1))]
        edit(shirt, variants=states)
        level.refresh_from_db()
        assert level.stocked_quantity == 4


class TestRefusals:
    def test_each_fault_names_its_row_and_column(self):
        shirt = a_shirt()
        VariantFactory(product=ProductFactory(title="Cup"), title="Blue", sku="cup-1")
        small, medium, berlin = variant("S"), variant("M"), InventoryLevel.objects.get().location_id
        assert refused(
            shirt,
            variants=[
                VariantState(small.pk, attributes=cells(sku="cup-1", weight=-1.0), prices=cells(usd=Decimal("1.234"))),
                VariantState(medium.pk, attributes=cells(barcode="x" * 256), prices=cells(xyz=Decimal(1))),
                VariantState(values=["XL"]),
                VariantState(values=["S"], attributes=cells(sku="shirt-M")),
            ],
        ) == [
            (0, "weight", "The Weight must be 0 or more."),
            (1, "barcode", "The Barcode too long, expected at most: '255' characters."),
            (2, "values", "'XL' is not one value of each option."),
            (3, "values", "The variants 'S' and 'S' would have the same option values."),
            (0, "prices.usd", "Value for field 'amount' has more than 2 decimals of usd."),
            (1, "prices.xyz", "'xyz' is not a currency of the shop."),
            (0, "sku", "The variant 'Cup / Blue' has this SKU."),
            (3, "sku", "The variant 'M' has this SKU."),
        ]
        assert refused(shirt, variants=[VariantState(small.pk, stock={berlin: -4, "sloc_gone": 1})]) == [
            (0, "stock.sloc_gone", "The location is deleted. Reload the page."),
            (0, f"stock.{berlin}", "Only 3 are in stock: 4 cannot be removed."),
        ]

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ([OptionState(title, ["x"]) for title in "abcd"], "A product can have at most 3 options."),
            ([OptionState("Size", ["x", "x"])], "'x' is repeated in 'Size'."),
            ([OptionState("Size", [])], "The option 'Size' needs a value."),
            ([OptionState("a", ["x"]), OptionState("a", ["y"])], "The option 'a' is repeated."),
            ([OptionState(" ", ["x"])], "The option's title must not be blank."),
            ([OptionState("a", ["\0"])], "A value of 'a' must not contain NUL characters."),
            ([OptionState("a", ["x"], "opt_gone")], "An option has been deleted by now. Reload the page."),
        ],
    )
    def test_options(self, options, message):
        assert refused(ProductFactory(), options=options) == [(None, "options", message)]

    def test_a_value_in_use(self):
        shirt = a_shirt()
        faults = refused(shirt, options=[OptionState("Size", ["S"], shirt.options.get().pk)])
        assert faults[0] == (None, "options", "'M' is used by the variant 'M' and cannot be removed.")

    def test_more_than_500_variants(self):
        shirt = a_shirt()
        options = [OptionState("Size", [str(number) for number in range(501)])]
        faults = refused(
            shirt,
            options=options,
            deleted=[variant("S").pk, variant("M").pk],
            variants=[VariantState(values=[str(number)]) for number in range(501)],
        )
        assert faults == [(None, "options", "A product can have at most 500 variants; these are 501.")]

    def test_a_bundle_has_no_stock_of_its_own(self):
        shirt = a_shirt()
        small, level = variant("S"), InventoryLevel.objects.get()
        stock(small, 1)
        assert refused(shirt, variants=[VariantState(small.pk, stock={level.location_id: 1})]) == [
            (0, f"stock.{level.location_id}", "The variant is a bundle: its items have their own stock.")
        ]

    def test_what_was_changed_since_it_was_read(self):
        shirt = a_shirt()
        small = variant("S")
        wanted = VariantState(
            small.pk,
            attributes={"sku": Cell("mine", "before"), "barcode": Cell("1", None)},
            prices={"usd": Cell(Decimal(9), Decimal(8))},
        )
        with pytest.raises(ProductEditRefused) as refusal:
            edit(
                shirt,
                variants=[wanted],
                read_options=[OptionState("Size", ["S"], shirt.options.get().pk)],
            )
        assert [(fault.column, fault.is_conflict, fault.current) for fault in refusal.value.faults] == [
            ("sku", True, "shirt-S"),
            ("prices.usd", True, Decimal("10.00")),
        ]
        with pytest.raises(ProductEditRefused) as refusal:
            edit(shirt, options=[OptionState("Size", ["S", "L"])], read_options=[OptionState("Size", ["S"], "opt_1")])
        assert [(fault.column, fault.current) for fault in refusal.value.faults] == [("options", "Size: S, M")]

    def test_a_deleted_product_and_a_variant_of_another(self):
        shirt, other = a_shirt(), VariantFactory()
        assert refused(shirt, variants=[VariantState(other.pk)]) == [
            (0, "title", "The variant was deleted meanwhile. Reload the page.")
        ]
        Product.objects.filter(pk=shirt.pk).update(deleted_at=shirt.created_at)
        with pytest.raises(ProductNotFound):
            edit(shirt)

    @pytest.mark.parametrize(
        ("wanted", "lacking"),
        [
            ({"options": []}, "delete_productoption"),
            ({"deleted": ["variant_1"]}, "delete_productvariant"),
            ({"variants": [VariantState()]}, "add_productvariant"),
            ({"variants": [VariantState("variant_1")]}, "change_productvariant"),
            ({"variants": [VariantState("variant_1", prices=cells(usd=None))]}, "change_price"),
            ({"variants": [VariantState("variant_1", stock={"sloc_1": 1})]}, "change_inventorylevel"),
        ],
    )
    def test_permissions(self, wanted, lacking):
        actor = Actor(type="user", id="user_1", permitted=lambda permission: permission != f"catalog.{lacking}")
        with pytest.raises(Forbidden, match=lacking):
            edit_products(actor=actor, states=[ProductState("prod_1", **wanted)])

    @pytest.mark.parametrize(
        ("sku", "lacking"),
        [
            ("shirt-M", "add_inventoryitem"),
            ("shirt-M", "add_variantinventoryitem"),
            ("tea", "add_variantinventoryitem"),
        ],
    )
    def test_first_stock_takes_the_permissions_to_give_the_variant_an_item(self, sku, lacking):
        """As on the variant's own page. One SKU has an inventory item already, which only needs a link."""
        shirt, berlin, item = a_shirt(), InventoryLevel.objects.get().location_id, InventoryItemFactory(sku="tea")
        ProductVariant.objects.filter(title="M").update(sku=sku)
        small, medium = (VariantState(variant(title).pk, stock={berlin: 2}) for title in "SM")
        actor = Actor(type="user", id="user_1", permitted=lambda permission: permission != f"catalog.{lacking}")
        with pytest.raises(ProductEditRefused) as refusal:
            edit_products(actor=actor, states=[ProductState(shirt.pk, variants=[small, medium])])
        message = f"The variant has no inventory item yet: the permission 'catalog.{lacking}' is required."
        assert [(fault.row, fault.column, fault.message) for fault in refusal.value.faults] == [
            (1, f"stock.{berlin}", message)
        ]
        edit_products(actor=actor, states=[ProductState(shirt.pk, variants=[small])])  # which has one
        assert list(InventoryLevel.objects.values_list("stocked_quantity", flat=True)) == [5]
        assert not variant("M").inventory_items.exists()
        assert item.variants.count() == 0


def test_its_statements_depend_neither_on_the_variants_nor_on_the_products() -> None:
    berlin = StockLocationFactory()

    def statements(products: int, variants: int) -> int:
        states = []
        for _ in range(products):
            product = ProductFactory()
            sizes = OptionFactory(product=product, title="Size", values=[str(number) for number in range(variants)])
            rows = [VariantFactory(product=product, options=[one]) for one in sizes.values.order_by("pk")]
            for row in rows:
                price(row, 10)
                stock(row, 5, location=berlin)
            changed = [
                VariantState(
                    row.pk,
                    attributes=cells(sku=f"{row.pk}-1", weight=2.0),
                    prices=cells(usd=Decimal(11), eur=Decimal(9)),
                    stock={berlin.pk: 1},
                )
                for row in rows[1:]
            ]
            added = [
                VariantState(values=[f"new {number}"], prices=cells(usd=Decimal(1)), stock={berlin.pk: 1})
                for number in range(variants)
            ]
            values = [*(str(number) for number in range(1, variants)), *(f"new {number}" for number in range(variants))]
            options = [OptionState("Size", values, sizes.pk)]
            states.append(ProductState(product.pk, options=options, variants=[*changed, *added], deleted=[rows[0].pk]))
        with CaptureQueriesContext(connection) as context:
            edit_products(actor=SYSTEM, states=states)
        # SQLite takes long insertions in parts, one after the other.
        return len([*groupby(query["sql"].split(" (")[0] for query in context)])

    few = statements(1, 2)
    assert statements(2, 40) == few
