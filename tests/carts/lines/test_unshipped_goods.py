"""Which goods are not shipped: only those whose items, or whose product, say so."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from carts.checkout import taxes
from carts.lines import line_addition
from carts.models import Cart, LineItem
from catalog.models import Product, ProductVariant, VariantInventoryItem
from kit.values.timestamps import now
from tests.contract.callers import storefront
from tests.factories.apikeys import publishable_key
from tests.factories.carts import cart, ebook, shopper, sold_variant
from tests.factories.inventory import InventoryItemFactory
from tests.factories.products import ProductFactory
from tests.kit.admin.forms import sent, submit
from tests.operations.shop_file_runs import ShopFiles

pytestmark = pytest.mark.django_db

SHIPPED, UNSHIPPED = {"requires_shipping": True}, {"requires_shipping": False}
LINK_DELETED, ITEM_DELETED = {"link_deleted_at": now()}, {"deleted_at": now()}
ITEMS: dict[str, tuple[list[dict[str, Any]], bool]] = {
    "none": ([], True),
    "one": ([UNSHIPPED], False),
    "all": ([UNSHIPPED, UNSHIPPED], False),
    "not all": ([UNSHIPPED, SHIPPED], True),
    "all but one whose link is deleted": ([UNSHIPPED, SHIPPED | LINK_DELETED], False),
    "all but one that is deleted": ([UNSHIPPED, SHIPPED | ITEM_DELETED], False),
    "one whose link is deleted": ([UNSHIPPED | LINK_DELETED], True),
    "one that is deleted": ([UNSHIPPED | ITEM_DELETED], True),
}


def give_items(variant: ProductVariant, items: list[dict[str, Any]]) -> None:
    for item in items:
        columns = dict(item)
        deleted_at = columns.pop("link_deleted_at", None)
        made = InventoryItemFactory(**columns)
        VariantInventoryItem.objects.create(variant=variant, inventory_item=made, deleted_at=deleted_at)


def line_of(made: Cart) -> LineItem:
    found: LineItem = made.items.get()
    return found


def refresh(made: Cart) -> None:
    taxes.calculate(actor=shopper(), cart_id=made.pk)


@pytest.mark.parametrize(("items", "is_shipped"), ITEMS.values(), ids=ITEMS)
def test_items_decide_in_a_new_line_and_after_a_refresh(items: list[dict[str, Any]], is_shipped: bool) -> None:
    variant = sold_variant()
    opened = cart(variant)
    give_items(variant, items)
    assert line_of(opened).requires_shipping
    refresh(opened)
    assert [line_of(each).requires_shipping for each in (opened, cart(variant))] == [is_shipped] * 2


def test_the_product_overrides_its_items() -> None:
    variant = ebook()
    give_items(variant, [SHIPPED])
    opened = cart(variant)
    assert not line_of(opened).requires_shipping
    Product.objects.update(requires_shipping=True)
    assert not line_of(opened).requires_shipping
    refresh(opened)
    assert line_of(opened).requires_shipping
    Product.objects.update(requires_shipping=False)
    refresh(opened)
    assert not line_of(opened).requires_shipping


def test_a_product_without_a_shipping_profile_ships() -> None:
    assert line_of(cart(sold_variant(product=ProductFactory(shipping_profile=None)))).requires_shipping


def test_gift_cards_never_ship_whatever_items_and_product_say() -> None:
    card = sold_variant(product=ProductFactory(is_giftcard=True))
    give_items(card, [SHIPPED])
    opened = cart(card)
    refresh(opened)
    assert not line_of(opened).requires_shipping


def test_a_line_keeps_its_flag_once_its_variant_is_gone() -> None:
    gone = [sold_variant(), sold_variant()]
    give_items(gone[0], [UNSHIPPED])
    carts = [cart(variant) for variant in gone]
    ProductVariant.objects.filter(pk__in=[variant.pk for variant in gone]).delete()
    for each in carts:
        refresh(each)
    assert [line_of(each).requires_shipping for each in carts] == [False, True]


def test_the_flag_is_written_only_if_it_changes() -> None:
    variant = ebook()
    opened = cart(variant)
    before = line_of(opened).updated_at
    refresh(opened)
    assert line_of(opened).updated_at == before


def test_a_second_piece_joins_the_line_and_brings_it_up_to_date() -> None:
    variant = sold_variant()
    opened = cart(variant)
    Product.objects.update(requires_shipping=False)
    line_addition.add(actor=shopper(), cart_id=opened.pk, variant_id=variant.pk, quantity=1)
    assert (line_of(opened).quantity, line_of(opened).requires_shipping) == (2, False)


def test_storefronts_see_the_flag_of_the_line() -> None:
    opened = cart(ebook())
    shown = storefront(publishable_key()).get(f"/store/carts/{opened.pk}", "fields=*items").json()
    assert [item["requires_shipping"] for item in shown["cart"]["items"]] == [False]


@pytest.mark.parametrize("factory", [ProductFactory, InventoryItemFactory])
def test_staff_say_it_of_a_product_and_of_an_item(admin_client: Client, factory: Any) -> None:
    row = factory()
    address = f"/admin/catalog/{row._meta.model_name}/{row.pk}/change/"
    submit(admin_client, address, sent(admin_client, address))
    row.refresh_from_db()
    assert row.requires_shipping
    submit(admin_client, address, sent(admin_client, address, requires_shipping=None))
    row.refresh_from_db()
    assert not row.requires_shipping


def test_shop_files_say_it_of_a_product(tmp_path: Path) -> None:
    files = ShopFiles(tmp_path)
    files.load({"products": [{"title": "Mug"}, {"title": "Novel", "requires_shipping": False}]})
    assert [product["requires_shipping"] for product in files.dump()["products"]] == [True, False]
    files.load({"products": [{"title": "Mug", "requires_shipping": False}, {"title": "Novel", "subtitle": "By Ann"}]})
    assert [product["requires_shipping"] for product in files.dump()["products"]] == [False, False]
    assert files.refused({"products": [{"title": "Mug", "requires_shipping": "no"}]}) == [
        'products[0].requires_shipping: expected true or false, got "no"'
    ]
