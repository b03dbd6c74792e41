"""The undo file of every spreadsheet, where one row of the import changes a column that another row only repeats.

Its empty cells must not empty what the import has left alone.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from catalog.models import ProductVariant
from customers.models import CustomerAddress
from giftcards.models import GiftCard
from kit.spreadsheets.declarations import SPREADSHEETS
from kit.values.days import moment_of
from tests.catalog.spreadsheets.importing import applied, exported, lines, undo_file
from tests.factories.customers import AddressFactory, CustomerFactory
from tests.factories.giftcards import gift_card
from tests.factories.inventory import InventoryLevelFactory, StockLocationFactory
from tests.factories.pricing import PriceListFactory, price
from tests.factories.products import VariantFactory
from tests.factories.shop import RegionFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def private_files(settings, tmp_path: Path) -> None:
    settings.EXPORT_DIR = str(tmp_path / "exports")
    RegionFactory()


def _variants() -> None:
    for sku, dollars, euros in (("A", 10, 9), ("B", 20, 18)):
        variant = VariantFactory(sku=sku, product__handle=sku.lower())
        price(variant, dollars, "usd")
        price(variant, euros, "eur")


def products() -> str:
    """Of one product the dollars change, of the other the euros and the weight."""
    _variants()
    return lines(
        "Handle,Variant SKU,Variant Price USD,Variant Price EUR,Variant Weight",
        "a,A,11,9,",
        "b,B,20,19,5",
    )


def prices() -> str:
    """Of one variant the dollars change, of the other the euros; in a list, too."""
    _variants()
    sale = PriceListFactory(title="Sale")
    for variant in ProductVariant.objects.all():
        price(variant, 7, "usd", price_list=sale)
        price(variant, 6, "eur", price_list=sale)
    return lines("SKU,Price List,Price USD,Price EUR", "A,,11,9", "A,Sale,7,5", "B,Sale,8,6", "B,,20,19")


def stock() -> str:
    """Two items."""
    depot = StockLocationFactory(name="Depot")
    for sku in ("A", "B"):
        InventoryLevelFactory(inventory_item__sku=sku, location=depot, stocked_quantity=5)
    return lines("SKU,Stock Exported,Stock", "A,5,6", "B,5,3")


def customers() -> str:
    """Of one the company changes, of another the phone, of the third a city."""
    for name in "abc":
        made = CustomerFactory(email=f"{name}@example.com", phone="1", company_name="Old", first_name="X", note="kept")
        AddressFactory(customer=made, address_1="1 Elm Street", city="Ghent")
    address = CustomerAddress.objects.get(customer__email="c@example.com")
    CustomerFactory(email="d@example.com", phone="1", company_name="Old")
    return lines(
        "Email,Company Name,Phone,Address Id,Address City",
        "a@example.com,New,1,,",
        "b@example.com,Old,2,,",
        f"c@example.com,Old,1,{address.pk},Bruges",
        "d@example.com,New,1,,",
    )


def gift_cards() -> str:
    """Of one card the note changes, of the other the expiry."""
    cards = [gift_card(5, code=f"GIFT-000{place}", note="old") for place in (1, 2)]
    GiftCard.objects.update(expires_at=moment_of("2099-01-01T00:00:00Z"))
    rows = zip(cards, ("new,2099-01-01T00:00:00Z", "old,2098-01-01T00:00:00Z"), strict=True)
    return lines("Id,Note,Expires At", *(f"{card.pk},{changed}" for card, changed in rows))


FILES: dict[str, Callable[[], str]] = {one.__name__: one for one in (products, prices, stock, customers, gift_cards)}
ADDING = {"promotion_codes"}
"""They change nothing that is stored."""


def test_each_spreadsheet_is_here() -> None:
    assert {*FILES} | ADDING == {*SPREADSHEETS.get()}


@pytest.mark.parametrize("key", sorted(FILES))
def test_undoing_restores_every_row_and_column(key: str) -> None:
    file = FILES[key]()
    first = exported(key)

    one = applied(file, spreadsheet=key)
    assert set(one.done) == {"changed"}
    assert exported(key) != first
    undone = applied(undo_file(one), spreadsheet=key)

    assert set(undone.done) == {"changed"}
    assert exported(key) == first
