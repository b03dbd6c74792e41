"""The screens of variants and of stock."""

from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalog.models import InventoryItem, InventoryLevel, Price, ProductVariant, Reservation, VariantInventoryItem
from kit.domain import soft_deletion
from tests.factories.inventory import (
    InventoryItemFactory,
    InventoryLevelFactory,
    ReservationFactory,
    StockLocationFactory,
    stock,
)
from tests.factories.pricing import price
from tests.factories.products import ImageFactory, OptionFactory, ProductFactory, VariantFactory
from tests.factories.shop import RegionFactory
from tests.kit.admin.forms import changed, errors, row, sent, submit
from tests.kit.admin.visits import history, refusals, superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db]

LIST = "/admin/catalog/productvariant/"
LEVELS = "/admin/catalog/inventorylevel/"
ITEMS = "/admin/catalog/inventoryitem/"


def form_of(variant: ProductVariant) -> str:
    return f"{LIST}{variant.pk}/change/"


def prices_of(variant: ProductVariant) -> list[tuple]:
    rows = Price.objects.not_deleted().filter(price_set__variant=variant).order_by("pk")
    return list(rows.values_list("currency_id", "amount", "min_quantity", "max_quantity", "rules__value"))


class TestPrices:
    def test_they_are_added_changed_and_deleted(self):
        variant, client, europe = VariantFactory(), superuser(), RegionFactory(currency_id="eur")
        price(variant, "10")
        price(variant, "11", "eur")
        values = sent(client, form_of(variant), **{"prices-0-amount": "12.50", "prices-1-DELETE": "on"})
        values = row(values, "prices", currency="EUR ", amount="9.9", region=europe.pk, min_quantity="2")
        submit(client, form_of(variant), values)
        assert prices_of(variant) == [
            ("usd", Decimal("12.5"), None, None, None),
            ("eur", Decimal("9.9"), 2, None, europe.pk),
        ]
        assert Price.objects.count() == 3
        assert history() == [(variant.title, 2)]

    def test_the_variant_is_saved_beside_prices_that_one_may_only_see(self):
        variant = VariantFactory()
        price(variant, "10", region=RegionFactory())
        client = visitor(*(f"catalog.{verb}_productvariant" for verb in ("view", "change")), "catalog.view_price")
        submit(client, form_of(variant), sent(client, form_of(variant), title="Green"))
        variant.refresh_from_db()
        assert variant.title == "Green"

    def test_the_first_makes_a_price_set(self):
        variant, client = VariantFactory(price_set=None), superuser()
        submit(client, form_of(variant), row(sent(client, form_of(variant)), "prices", currency="usd", amount="1"))
        assert prices_of(variant) == [("usd", Decimal(1), None, None, None)]

    def test_a_region_is_a_rule_that_comes_and_goes_beside_the_others(self):
        variant, client = VariantFactory(), superuser()
        europe, asia = RegionFactory(), RegionFactory()
        price(variant, "10", region=europe, rules={"customer.groups.id": "vip"})
        page = client.get(form_of(variant)).content.decode()
        assert "customer.groups.id eq vip" in page
        assert sent(client, form_of(variant))["prices-0-region"] == [europe.pk]
        submit(client, form_of(variant), sent(client, form_of(variant), **{"prices-0-region": asia.pk}))
        assert sorted(rule for *_, rule in prices_of(variant)) == [asia.pk, "vip"]
        submit(client, form_of(variant), sent(client, form_of(variant), **{"prices-0-region": ""}))
        assert [rule for *_, rule in prices_of(variant)] == ["vip"]

    @pytest.mark.parametrize(
        ("field", "value", "error"),
        [
            ("amount", "ten", "Enter a number."),
            ("amount", "", "This field is required."),
            ("amount", "NaN", "Enter a number."),
            ("amount", "\0", "Enter a number."),
            ("amount", "-1", "Value for field 'amount' too small, expected at least: '0'"),
            ("amount", "1.9999", "Value for field 'amount' has more than 2 decimals of usd"),
            ("amount", "1e-9999", "Enter a number."),
            ("amount", "1e3", "Enter a number."),
            ("amount", "1_0", "Enter a number."),
            ("amount", "\u0661\u0660", "Enter a number."),
            ("amount", "1000000000000", "Value for field 'amount' is out of bounds, at most 100000000000 is accepted"),
            ("amount", "9" * 500, "Value for field 'amount' is out of bounds, at most 100000000000 is accepted"),
            ("currency", "xyz", "Choose a currency."),
            ("currency", "\0", "Choose a currency."),
            ("region", "reg_none", "Select a valid choice. That choice is not one of the available choices."),
            ("region", "\0", "Select a valid choice. That choice is not one of the available choices."),
            ("min_quantity", "-1", "Ensure this value is greater than or equal to 0."),
            ("min_quantity", "5", "Value for field 'max_quantity' is below the min_quantity"),
            ("min_quantity", "1.5", "Enter a whole number."),
        ],
    )
    def test_each_fault_is_reported_at_its_field(self, field, value, error):
        variant, client = VariantFactory(), superuser()
        values = row(
            sent(client, form_of(variant)),
            "prices",
            **{"currency": "usd", "amount": "1", "max_quantity": "3", field: value},
        )
        at = "max_quantity" if value == "5" else field
        assert errors(client.post(form_of(variant), values)) == {f"prices-0-{at}": [error]}
        assert not Price.objects.exists()

    @pytest.mark.parametrize("quantity", ["99999999999999999999", "9" * 5000])
    def test_huge_quantities_are_reported(self, quantity):
        variant, client = VariantFactory(), superuser()
        values = row(sent(client, form_of(variant)), "prices", currency="usd", amount="1", min_quantity=quantity)
        assert list(errors(client.post(form_of(variant), values))) == ["prices-0-min_quantity"]

    def test_yen_have_no_decimals(self):
        variant, client = VariantFactory(), superuser()
        values = row(sent(client, form_of(variant)), "prices", currency="jpy", amount="100.5")
        assert list(errors(client.post(form_of(variant), values))) == ["prices-0-amount"]

    def test_two_for_the_same_are_refused(self):
        variant, client = VariantFactory(), superuser()
        price(variant, "10")
        values = row(sent(client, form_of(variant)), "prices", currency="usd", amount="1")
        error = "Another price has this currency, these quantities and this region."
        assert errors(client.post(form_of(variant), values)) == {"prices-1-currency": [error]}

    def test_a_price_of_another_page_is_compared_too(self):
        variant, client, europe = VariantFactory(), superuser(), RegionFactory()
        for number in range(1, 26):
            price(variant, "10", min_quantity=number)
        price(variant, "10", region=europe)
        price(variant, "10", "eur", rules={"customer.groups.id": "vip"})
        values = row(sent(client, form_of(variant)), "prices", currency="usd", amount="1", region=europe.pk)
        error = "Another price has this currency, these quantities and this region."
        assert errors(client.post(form_of(variant), values)) == {"prices-25-currency": [error]}
        submit(client, form_of(variant), changed(values, **{"prices-25-currency": "eur", "prices-25-region": ""}))


class TestForm:
    def test_every_column_arrives(self):
        variant, client = VariantFactory(), superuser()
        image = ImageFactory(product=variant.product)
        given = {"barcode": "1", "ean": "2", "upc": "3", "weight": "1.5", "material": "Wool", "images": [image.pk]}
        submit(client, form_of(variant), sent(client, form_of(variant), title="New", manage_inventory=None, **given))
        after = ProductVariant.objects.get()
        assert (after.title, after.barcode, after.ean, after.upc, after.sku) == ("New", "1", "2", "3", None)
        assert (after.weight, after.material, after.manage_inventory, list(after.images.all())) == (
            *(1.5, "Wool", False),
            [image],
        )

    def test_only_the_products_own_images_and_values_are_offered(self):
        size = OptionFactory(title="Size", values=["S", "M"])
        small, medium = size.values.order_by("pk")
        one = VariantFactory(product=size.product, title="One", options=[small])
        other = VariantFactory(product=size.product, title="Other", options=[medium])
        client, strange = superuser(), OptionFactory(values=["S"]).values.get()
        field = f"option_{size.pk}"
        for wrong, text in ((strange.pk, "is not one of the available choices"), (small.pk, "'One' and 'Other'")):
            answer = client.post(form_of(other), sent(client, form_of(other), **{field: wrong}))
            assert text in errors(answer)[field][0]
        image = ImageFactory()
        assert list(errors(client.post(form_of(one), sent(client, form_of(one), images=[image.pk])))) == ["images"]
        large = size.values.create(value="L")
        submit(client, form_of(other), sent(client, form_of(other), **{field: large.pk}))
        assert [value.value for value in other.options.all()] == ["L"]

    def test_none_is_added_here(self):
        assert superuser().get(f"{LIST}add/").status_code == 403

    def test_a_taken_code_is_reported(self):
        VariantFactory(ean="1")
        variant, client = VariantFactory(), superuser()
        error = errors(client.post(form_of(variant), sent(client, form_of(variant), ean="1")))
        assert error == {"ean": ["Another product variant has this ean."]}

    def test_it_is_found_by_its_codes_and_product(self):
        VariantFactory(title="Large", sku="tea-l", product=ProductFactory(title="Tea"))
        client = superuser()
        for term in ("tea-l", "Tea", "large"):
            assert len(client.get(f"{LIST}?q={term}").context["cl"].result_list) == 1

    def test_its_permission_is_enough_to_see_it(self):
        variant = VariantFactory()
        assert visitor("catalog.view_productvariant").get(form_of(variant)).status_code == 200
        assert visitor("catalog.view_product").get(form_of(variant)).status_code == 403


class TestStock:
    def test_the_first_quantity_makes_an_item_of_the_variants_own(self):
        variant, client, location = VariantFactory(sku="tea"), superuser(), StockLocationFactory()
        values = row(sent(client, form_of(variant)), "levels", location=location.pk, stocked_quantity="7")
        submit(client, form_of(variant), changed(values, **{"levels-0-incoming_quantity": "2"}))
        level = InventoryLevel.objects.get()
        assert (level.stocked_quantity, level.incoming_quantity, level.location) == (7, 2, location)
        assert VariantInventoryItem.objects.get().inventory_item.sku == "tea"
        assert level.inventory_item.variants.get() == variant

    def test_a_new_item_takes_the_permission_to_add_one(self):
        """The item and its link are written by their verbs, which check who writes."""
        variant, location = VariantFactory(sku="tea"), StockLocationFactory()
        needed = [
            f"catalog.{verb}_{name}" for name in ("productvariant", "inventorylevel") for verb in ("view", "change")
        ]
        client = visitor(*needed, "catalog.add_inventorylevel", "shop.view_stocklocation")
        values = row(
            sent(client, form_of(variant)), "levels", location=location.pk, stocked_quantity="7", incoming_quantity="0"
        )
        refusals(client.post(form_of(variant), values))
        assert not InventoryItem.objects.exists()
        assert not InventoryLevel.objects.exists()

    def test_an_item_of_the_same_sku_becomes_its_own(self):
        item, variant = InventoryItemFactory(sku="tea"), VariantFactory(sku="tea")
        client, location = superuser(), StockLocationFactory()
        values = row(
            sent(client, form_of(variant)), "levels", location=location.pk, stocked_quantity="7", incoming_quantity="0"
        )
        submit(client, form_of(variant), values)
        assert InventoryLevel.objects.get().inventory_item == item

    def test_the_stock_of_such_an_item_is_shown_and_becomes_the_variants_with_the_first_change(self):
        level, variant = InventoryLevelFactory(inventory_item__sku="tea", stocked_quantity=5), VariantFactory(sku="tea")
        client = superuser()
        submit(client, form_of(variant), sent(client, form_of(variant)))
        assert not VariantInventoryItem.objects.exists()
        assert sent(client, form_of(variant))["levels-0-stocked_quantity"] == ["5"]
        submit(client, form_of(variant), sent(client, form_of(variant), **{"levels-0-stocked_quantity": "6"}))
        level.refresh_from_db()
        assert (level.stocked_quantity, variant.inventory_items.get()) == (6, level.inventory_item)

    def test_stock_of_the_sku_that_is_there_meanwhile_is_reported(self):
        variant, client = VariantFactory(sku="tea"), superuser()
        values = sent(client, form_of(variant))
        level = InventoryLevelFactory(inventory_item__sku="tea", stocked_quantity=5)
        added = {"location": level.location_id, "stocked_quantity": "7", "incoming_quantity": "0"}
        answer = client.post(form_of(variant), row(values, "levels", **added))
        assert errors(answer)["levels-0-location"] == ["Another row has the same value."]
        level.refresh_from_db()
        assert (level.stocked_quantity, InventoryItem.objects.count()) == (5, 1)

    def test_its_own_item_may_be_linked_by_hand_too(self):
        item, variant, client = InventoryItemFactory(sku="tea"), VariantFactory(sku="tea"), superuser()
        values = sent(client, form_of(variant))
        values = row(values, "levels", location=StockLocationFactory().pk, stocked_quantity="7", incoming_quantity="0")
        submit(client, form_of(variant), row(values, "inventory_links", inventory_item=item.pk, required_quantity="2"))
        link = VariantInventoryItem.objects.get()
        assert (link.variant, link.inventory_item, link.required_quantity) == (variant, item, 2)

    def test_a_deleted_item_is_named_as_such_and_has_no_stock_to_show(self):
        variant, client = VariantFactory(), superuser()
        item = stock(variant, 5).inventory_item
        soft_deletion.delete(item)
        assert "levels-0-stocked_quantity" not in sent(client, form_of(variant))
        assert "deleted: nothing can be sold from stock" in client.get(form_of(variant)).content.decode()
        stock(variant, 7)
        assert sent(client, form_of(variant))["levels-0-stocked_quantity"] == ["7"]

    def test_a_quantity_is_changed_and_what_is_reserved_meanwhile_stays(self, monkeypatch):
        variant, client = VariantFactory(), superuser()
        level = stock(variant, 5)
        values = sent(client, form_of(variant), **{"levels-0-stocked_quantity": "9", "levels-0-reserved_quantity": "4"})
        read = InventoryLevel.from_db.__func__

        def reserved_after_reading(cls, *args):
            found = read(cls, *args)
            if not Reservation.objects.exists():
                Reservation.objects.create(inventory_item=level.inventory_item, location=level.location, quantity=3)
            return found

        monkeypatch.setattr(InventoryLevel, "from_db", classmethod(reserved_after_reading))
        submit(client, form_of(variant), values)
        monkeypatch.undo()
        level.refresh_from_db()
        assert (level.stocked_quantity, level.reserved_quantity) == (9, 3)

    @pytest.mark.parametrize("quantity", ["", "many", "1.5", "-1", "99999999999999999999", "\0"])
    def test_odd_quantities_are_reported(self, quantity):
        variant, client = VariantFactory(), superuser()
        stock(variant, 5)
        answer = client.post(
            form_of(variant), sent(client, form_of(variant), **{"levels-0-stocked_quantity": quantity})
        )
        assert list(errors(answer)) == ["levels-0-stocked_quantity"]

    @pytest.mark.parametrize("field", ["stocked_quantity", "incoming_quantity"])
    @pytest.mark.parametrize(("shown", "entered"), [("0", "2147483647"), ("-2147483648", "5")])
    def test_no_difference_takes_it_beyond_what_a_level_holds(self, field, shown, entered):
        variant, client = VariantFactory(), superuser()
        level = stock(variant, 5)
        InventoryLevel.objects.update(incoming_quantity=5)
        differing = {f"levels-0-{field}": entered, f"initial-levels-0-{field}": shown}
        answer = client.post(form_of(variant), sent(client, form_of(variant), **differing))
        assert errors(answer) == {f"levels-0-{field}": ["A location can stock at most 2147483647."]}
        level.refresh_from_db()
        assert (level.stocked_quantity, level.incoming_quantity) == (5, 5)

    def test_a_location_has_one_quantity(self):
        variant, client = VariantFactory(), superuser()
        level = stock(variant, 5)
        values = row(
            sent(client, form_of(variant)),
            "levels",
            location=level.location_id,
            stocked_quantity="1",
            incoming_quantity="0",
        )
        assert errors(client.post(form_of(variant), values))
        assert InventoryLevel.objects.count() == 1

    def test_items_are_linked_and_unlinked(self):
        variant, client = VariantFactory(), superuser()
        stock(variant, 5)
        item = InventoryItemFactory()
        values = sent(client, form_of(variant), **{"inventory_links-0-DELETE": "on"})
        submit(client, form_of(variant), row(values, "inventory_links", inventory_item=item.pk, required_quantity="2"))
        link = VariantInventoryItem.objects.get()
        assert (link.inventory_item, link.required_quantity) == (item, 2)

    def test_a_link_takes_at_least_one(self):
        variant, client = VariantFactory(), superuser()
        stock(variant, 5)
        answer = client.post(
            form_of(variant), sent(client, form_of(variant), **{"inventory_links-0-required_quantity": "0"})
        )
        assert list(errors(answer)) == ["inventory_links-0-required_quantity"]

    def test_a_bundles_stock_is_that_of_its_items(self):
        variant, client = VariantFactory(), superuser()
        stock(variant, 5)
        stock(variant, 5)
        assert "levels-TOTAL_FORMS" not in sent(client, form_of(variant))

    def test_the_list_tells_what_is_available_at_no_more_statements_for_more_rows(self):
        client, location = superuser(), StockLocationFactory(name="Berlin")
        level = stock(VariantFactory(), 5, location=location, item=InventoryItemFactory(sku="tea"))
        ReservationFactory(level=level)
        page = client.get(LEVELS).content.decode()
        assert all(text in page for text in ("tea", "Berlin", "field-available"))

        def statements() -> int:
            with CaptureQueriesContext(connection) as context:
                assert client.get(LEVELS).status_code == 200
                assert client.get("/admin/catalog/reservation/").status_code == 200
            return len(context)

        few = statements()
        for _ in range(10):
            stock(VariantFactory(), 1)
        assert statements() == few
        assert len(client.get(f"{LEVELS}?location__id__exact={location.pk}").context["cl"].result_list) == 1

    def test_levels_and_reservations_are_not_written_in_their_lists(self):
        level, client = stock(VariantFactory(), 5), superuser()
        assert client.post(f"{LEVELS}{level.pk}/change/", {"stocked_quantity": 1}).status_code == 403
        assert client.get("/admin/catalog/reservation/add/").status_code == 403

    def test_an_items_own_screen_holds_its_levels(self):
        client, location = superuser(), StockLocationFactory()
        values = row(
            sent(client, f"{ITEMS}add/", sku="tea", title="Tea"),
            "levels",
            location=location.pk,
            stocked_quantity="3",
            incoming_quantity="0",
        )
        submit(client, f"{ITEMS}add/", values)
        assert InventoryItem.objects.get(sku="tea").levels.get().stocked_quantity == 3
