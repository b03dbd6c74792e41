"""The plain table of variants, which has the columns of the grid for browsers without JavaScript."""

from decimal import Decimal

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from catalog.admin.variants.variant_cells import BUNDLE
from catalog.admin.variants.variant_table import LOST_COLUMN
from catalog.models import InventoryLevel, Price, Product, ProductVariant, StockMovement
from kit.values.timestamps import now
from shop.models import Region, StockLocation
from tests.catalog.admin.test_product_grid import WRITING
from tests.factories.inventory import StockLocationFactory, stock
from tests.factories.pricing import price
from tests.factories.products import OptionFactory, ProductFactory, VariantFactory
from tests.factories.shop import RegionFactory
from tests.kit.admin.forms import changed, errors, filled_in, row, sent, submit
from tests.kit.admin.visits import superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db]

PRICES = [f"catalog.{verb}_price" for verb in ("view", "add", "change", "delete")]
LEVELS = [f"catalog.{verb}_inventorylevel" for verb in ("view", "add", "change")]


@pytest.fixture
def shirt() -> Product:
    """With sizes S and M, which cost 10 usd each; 5 of S are in Berlin."""
    RegionFactory(currency_id="usd")
    berlin, shirt = StockLocationFactory(name="Berlin"), ProductFactory(title="Shirt")
    size = OptionFactory(product=shirt, title="Size", values=["S", "M"])
    for rank, value in enumerate(size.values.order_by("pk")):
        variant = VariantFactory(product=shirt, title=value.value, options=[value], variant_rank=rank)
        price(variant, 10)
        if value.value == "S":
            stock(variant, 5, location=berlin)
    return shirt


def page_of(product: Product) -> str:
    return f"/admin/catalog/product/{product.pk}/change/?tables=1"


def place() -> str:
    """The name of Berlin's column."""
    return f"stock_{InventoryLevel.objects.get(location__name='Berlin').location_id}"


def prices(title: str) -> list[tuple[str, Decimal]]:
    rows = Price.objects.not_deleted().filter(price_set__variant__title=title).order_by("currency_id")
    return list(rows.values_list("currency_id", "amount"))


def in_stock(title: str) -> list[int]:
    levels = InventoryLevel.objects.filter(inventory_item__variants__title=title)
    return list(levels.values_list("stocked_quantity", flat=True))


class TestSaving:
    def test_codes_weight_prices_and_stock(self, shirt: Product) -> None:
        client, berlin = superuser(), place()
        given = sent(
            client,
            page_of(shirt),
            **{"variants-0-barcode": "4006381333931", "variants-0-weight": "250", "variants-0-prices_usd": "12.5"},
            **{f"variants-0-{berlin}": "7", "variants-1-prices_usd": "", f"variants-1-{berlin}": "3"},
        )
        submit(client, page_of(shirt), given)
        small = shirt.variants.get(title="S")
        assert (small.barcode, small.weight) == ("4006381333931", 250)
        assert (prices("S"), prices("M")) == ([("usd", Decimal("12.5"))], [])
        assert (in_stock("S"), in_stock("M")) == ([7], [3])
        assert [one.reason for one in StockMovement.objects.order_by("pk")][-2:] == ["set", "adjustment"]
        history = client.get(f"/admin/catalog/product/{shirt.pk}/history/").content.decode()
        assert "Price $ (10.00 → 12.50)" in history
        assert "Stock Berlin (5 → 7)" in history

    def test_an_unchanged_page_writes_nothing(self, shirt: Product) -> None:
        client, before = superuser(), Price.objects.get(price_set__variant__title="S").updated_at
        submit(client, page_of(shirt), sent(client, page_of(shirt)))
        assert Price.objects.get(price_set__variant__title="S").updated_at == before
        assert StockMovement.objects.count() == 1

    def test_a_new_variant_with_a_price_and_stock(self, shirt: Product) -> None:
        client, berlin = superuser(), place()
        large = OptionFactory(product=shirt, title="Colour", values=["Red"]).values.get()
        size = shirt.options.get(title="Size").values.get(value="S")
        address = f"{page_of(shirt)}&rows=1"
        page = client.get(address)
        assert "variants-2-title" in page.content.decode()
        cells = {f"option_{size.option_id}": size.pk, f"option_{large.option_id}": large.pk, berlin: "4"}
        given = row(
            sent(client, page_of(shirt)), "variants", title="Large", sku="l", variant_rank="2", prices_usd="11", **cells
        )
        refused = client.post(address, given)  # the others need a colour too
        assert refused.status_code == 200
        given |= {f"variants-{at}-option_{large.option_id}": [large.pk] for at in (0, 1)}
        given[f"variants-0-option_{size.option_id}"] = [shirt.options.get(title="Size").values.get(value="M").pk]
        given["variants-1-DELETE"] = ["on"]
        submit(client, address, given)
        assert (prices("Large"), in_stock("Large")) == ([("usd", Decimal(11))], [4])

    def test_stock_is_booked_as_the_difference_to_what_was_shown(self, shirt: Product) -> None:
        client, berlin = superuser(), place()
        given = sent(client, page_of(shirt), **{f"variants-0-{berlin}": "7"})
        others = sent(client, page_of(shirt), **{f"variants-0-{berlin}": "4"})
        submit(client, page_of(shirt), others)
        submit(client, page_of(shirt), given)
        assert in_stock("S") == [6]

    def test_a_page_sent_twice_is_booked_once(self, shirt: Product) -> None:
        client = superuser()
        given = sent(client, page_of(shirt), **{f"variants-0-{place()}": "7"})
        submit(client, page_of(shirt), given)
        submit(client, page_of(shirt), given)
        assert in_stock("S") == [7]
        again = client.post(page_of(shirt), given | {f"variants-0-{place()}": ["9"]})
        assert "Current value: 7." in " ".join(errors(again)[f"variants-0-{place()}"])
        submit(client, page_of(shirt), filled_in(again))
        assert in_stock("S") == [9]


class TestRefusals:
    def test_a_price_that_another_has_changed_may_be_saved_again(self, shirt: Product) -> None:
        client = superuser()
        given = sent(client, page_of(shirt), **{"variants-0-prices_usd": "12"})
        Price.objects.filter(price_set__variant__title="S").update(amount=Decimal(11))
        answer = client.post(page_of(shirt), given)
        assert errors(answer)["variants-0-prices_usd"] == ["Current value: 11.00. Saved outside this site."]
        assert prices("S") == [("usd", Decimal(11))]
        submit(client, page_of(shirt), filled_in(answer))
        assert prices("S") == [("usd", Decimal(12))]

    @pytest.mark.parametrize(
        ("column", "text", "message"),
        [
            ("prices_usd", "-1", "Value for field 'amount' too small, expected at least: '0'"),
            ("prices_usd", "1.0005", "Value for field 'amount' has more than 2 decimals of usd"),
            ("prices_usd", "1e3", "Enter a number."),
            ("weight", "-1", "Value for field 'weight' too small, expected at least: '0'"),
            ("stock", "-1", "Only 5 are left: 6 cannot be removed."),
            ("stock", "", "Enter a whole number, 0 for none."),
            ("stock", "9999999999", "A location can stock at most 2147483647."),
        ],
    )
    def test_each_is_reported_in_its_cell(self, shirt: Product, column: str, text: str, message: str) -> None:
        client = superuser()
        name = f"variants-0-{place() if column == 'stock' else column}"
        answer = client.post(page_of(shirt), sent(client, page_of(shirt), **{name: text}))
        assert [text for text in errors(answer)[name] if message in text], errors(answer)
        assert (prices("S"), in_stock("S")) == ([("usd", Decimal(10))], [5])

    def test_what_was_entered_at_a_deleted_location_is_not_dropped(self, shirt: Product) -> None:
        client = superuser()
        given = sent(client, page_of(shirt), **{f"variants-1-{place()}": "3", "variants-1-title": "Medium"})
        StockLocation.objects.filter(name="Berlin").update(deleted_at=now())
        answer = client.post(page_of(shirt), given)
        assert errors(answer) == {"variants": [LOST_COLUMN]}
        assert not shirt.variants.filter(title="Medium").exists()
        submit(client, page_of(shirt), filled_in(answer))
        assert shirt.variants.filter(title="Medium").exists()

    def test_other_columns_are_saved_after_a_location_was_deleted(self, shirt: Product) -> None:
        client = superuser()
        given = sent(client, page_of(shirt), **{"variants-0-prices_usd": "12"})
        StockLocation.objects.filter(name="Berlin").update(deleted_at=now())
        submit(client, page_of(shirt), given)
        assert prices("S") == [("usd", Decimal(12))]

    def test_stock_of_what_has_become_a_bundle_is_not_dropped(self, shirt: Product) -> None:
        client = superuser()
        name = f"variants-0-{place()}"
        given, unchanged = sent(client, page_of(shirt), **{name: "7"}), sent(client, page_of(shirt))
        stock(shirt.variants.get(title="S"), 2)
        assert errors(client.post(page_of(shirt), given)) == {name: [BUNDLE]}
        submit(client, page_of(shirt), unchanged)

    def test_stock_sold_meanwhile_is_reported(self, shirt: Product, monkeypatch: pytest.MonkeyPatch) -> None:
        """What the verb refuses under its own lock stands in the cell, too."""
        client, berlin = superuser(), place()
        monkeypatch.setattr("catalog.admin.grid.difference_form.DifferenceForm._move", lambda *_: None)
        monkeypatch.setattr("catalog.admin.grid.difference_form.DifferenceForm.difference", lambda *_: -9)
        answer = client.post(page_of(shirt), sent(client, page_of(shirt), **{f"variants-0-{berlin}": "1"}))
        assert errors(answer)[f"variants-0-{berlin}"] == ["Only 5 are in stock: 9 cannot be removed."]


class TestPermissions:
    def test_prices_and_stock_that_one_may_only_see_are_text(self, shirt: Product) -> None:
        client = visitor(*WRITING, "catalog.view_price", "catalog.view_inventorylevel")
        page, cells = client.get(page_of(shirt)), [f"variants-0-{name}" for name in ("prices_usd", place())]
        assert not [name for name in cells if f'name="{name}"' in page.content.decode()]
        assert "10.00" in page.content.decode()
        given = changed(filled_in(page), **{"variants-0-title": "Small"}, **dict.fromkeys(cells, "1"))
        Price.objects.filter(price_set__variant__title="S").update(amount=Decimal(11))  # which is no conflict
        submit(client, page_of(shirt), given)
        assert (prices("Small"), in_stock("Small")) == ([("usd", Decimal(11))], [5])

    def test_who_may_add_variants_alone_sees_no_cells_that_saving_refuses(self, shirt: Product) -> None:
        """Prices and stock are changes of a variant, also of a new one."""
        views = [f"catalog.view_{model}" for model in ("product", "productoption", "productvariant")]
        client = visitor(*views, "catalog.change_product", "catalog.add_productvariant", *PRICES, *LEVELS)
        value = shirt.options.get().values.create(value="L")
        address, cells = f"{page_of(shirt)}&rows=1", [f"variants-2-{name}" for name in ("prices_usd", place())]
        page = client.get(address)
        assert 'name="variants-2-title"' in page.content.decode()
        assert not [name for name in cells if f'name="{name}"' in page.content.decode()]
        assert "10.00" in page.content.decode()
        large = {"variants-2-title": "Large", f"variants-2-option_{value.option_id}": value.pk}
        submit(client, address, changed(filled_in(page), **large, **dict.fromkeys(cells, "1")))
        assert (prices("Large"), in_stock("Large")) == ([], [])

    def test_the_product_is_saved_beside_variants_that_one_may_only_see(self, shirt: Product) -> None:
        OptionFactory(product=shirt, title="Colour", values=["Red"])  # which no variant has yet
        models = ("product", "productoption", "productvariant")
        client = visitor(*(f"catalog.view_{model}" for model in models), "catalog.change_product")
        submit(client, page_of(shirt), sent(client, page_of(shirt), title="Coat"))
        assert Product.objects.get().title == "Coat"

    def test_others_do_not_see_them(self, shirt: Product) -> None:
        assert "variants-0-prices_usd" not in sent(visitor(*WRITING), page_of(shirt))
        assert "variants-0-prices_usd" in sent(visitor(*WRITING, *PRICES, *LEVELS), page_of(shirt))

    def test_readers_see_values(self, shirt: Product) -> None:
        names = ("product", "productoption", "productvariant", "price", "inventorylevel")
        page = visitor(*(f"catalog.view_{name}" for name in names)).get(page_of(shirt)).content.decode()
        table = page[page.index('id="variants-group"') :]
        assert "10.00" in table
        assert table.count(">S</div>") == 2  # the title and the option's value
        assert "S, M" in page


def statements(client: Client, product: Product) -> int:
    with CaptureQueriesContext(connection) as asked:
        assert client.get(page_of(product)).status_code == 200
    return len(asked)


def test_its_statements_do_not_grow_with_the_variants(shirt: Product) -> None:
    client = superuser()
    few = statements(client, shirt)
    for number in range(20):
        price(VariantFactory(product=shirt, title=f"{number}", variant_rank=9), 10)
    assert statements(client, shirt) == few
    assert Region.objects.count() == 1
    assert ProductVariant.objects.count() == 22
