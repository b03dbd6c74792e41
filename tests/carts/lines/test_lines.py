"""What goes into a cart, and what does not."""

import sys
from typing import Any

import pytest

from carts.details import creation
from carts.errors import (
    CartCompleted,
    LineItemNotFound,
    LinesNotSold,
    LinesOutOfStock,
    LinesWithoutPrice,
    TooMuchMetadata,
    VariantsNotSold,
)
from carts.lines import line_addition, line_change, line_removal
from carts.lines.lines import MAX_QUANTITY, NewLineItem
from carts.models import Cart, LineItem
from catalog.models import InventoryItem
from catalog.states import ProductStatus
from kit.errors import DomainError, InvalidData
from kit.values.timestamps import now
from tests.factories import carts as make
from tests.factories.inventory import count_stock, stock
from tests.factories.pricing import PriceListFactory, price
from tests.factories.products import (
    OptionFactory,
    ProductCollectionFactory,
    ProductFactory,
    ProductTypeFactory,
    VariantFactory,
)
from tests.factories.shop import SalesChannelFactory

pytestmark = pytest.mark.django_db


def lines(cart: Cart) -> list[tuple[str | None, int, int]]:
    """Variant, quantity and total of each, in the order in which they came."""
    return list(cart.items.order_by("pk").values_list("variant_id", "quantity", "total"))


def refused(refusal: type[DomainError], verb: Any, cart: Cart, **values: Any) -> str:
    """The message of a refusal that has changed nothing."""
    before = (lines(cart), Cart.objects.values().get(pk=cart.pk))
    with pytest.raises(refusal) as refusal_info:
        verb(actor=make.shopper(), cart_id=cart.pk, **values)
    assert (lines(cart), Cart.objects.values().get(pk=cart.pk)) == before
    return refusal_info.value.message


def add(cart: Cart, variant: Any, quantity: int = 1, **values: Any) -> None:
    line_addition.add(actor=make.shopper(), cart_id=cart.pk, variant_id=variant.pk, quantity=quantity, **values)


def test_pieces_of_a_variant_are_one_line_for_each_metadata() -> None:
    cart, mug = make.cart(), make.sold_variant(10)
    add(cart, mug)
    add(cart, mug, 2, metadata={})
    add(cart, mug, 1, metadata={"engraving": "A", "depth": 1})
    add(cart, mug, 4, metadata={"depth": 1, "engraving": "A"})
    add(cart, mug, 1, metadata={"depth": True, "engraving": "A"})
    assert lines(cart) == [(mug.pk, 3, 30), (mug.pk, 5, 50), (mug.pk, 1, 10)]
    cart.refresh_from_db()
    assert (cart.total, cart.item_subtotal) == (90, 90)


def test_the_work_grows_as_the_pieces_do_however_alike_their_metadata() -> None:
    """One request of a thousand pieces, each compared with each, kept a worker busy for two minutes."""
    mug = make.sold_variant(10)

    def calls(pieces: int) -> int:
        actor, region = make.shopper(), make.selling_region()
        items = [NewLineItem(mug.pk, 1, {"notches": [1] * 100 + [number]}) for number in range(pieces)]
        called = 0

        def count(_: Any, event: str, __: Any) -> None:
            nonlocal called
            called += event == "call"

        sys.setprofile(count)
        try:
            creation.create(actor=actor, region_id=region.pk, items=items)
        finally:
            sys.setprofile(None)
        return called

    calls(2)  # what is made once
    assert calls(100) < 2.5 * calls(50)


def test_lines_hold_so_much_metadata_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("carts.lines.lines.MAX_METADATA_SIZE", 40)
    cart, mug = make.cart(), make.sold_variant(10)
    for text in ("a", "b"):
        add(cart, mug, metadata={text: "x" * 10})  # 18 bytes
    reported = "The line items of a cart can have at most 40 bytes of metadata together"
    first = cart.items.order_by("pk")[0]
    assert (
        refused(TooMuchMetadata, line_addition.add, cart, variant_id=mug.pk, quantity=1, metadata={"c": 1}) == reported
    )
    assert (
        refused(TooMuchMetadata, line_change.change, cart, line_id=first.pk, quantity=1, metadata={"c": 1}) == reported
    )
    add(cart, mug)
    line_change.change(actor=make.shopper(), cart_id=cart.pk, line_id=first.pk, quantity=1, metadata={"a": ""})
    add(cart, mug, metadata={"c": 1})
    assert cart.items.count() == 4


def test_a_line_remembers_what_the_catalogue_said() -> None:
    product = ProductFactory(
        title="Mug",
        subtitle="Holds tea",
        description="Clay",
        handle="mug",
        thumbnail="/mug.png",
        discountable=False,
        type=ProductTypeFactory(value="Kitchen"),
        collection=ProductCollectionFactory(title="Summer"),
    )
    values = [
        OptionFactory(product=product, title=title, values=[value]).values.get()
        for title, value in (("Size", "Large"), ("Colour", "Red"))
    ]
    mug = make.sold_variant(10, product=product, title="Large", sku="mug-l", barcode="123", options=values)
    cart = make.cart(mug)
    product.title = "Renamed"
    product.save()
    line = cart.items.get()
    assert {name: getattr(line, name) for name in EXPECTED} == {**EXPECTED, "product_type_id": product.type_id}
    assert line.detail_id.startswith("orditem_")


EXPECTED = {
    "title": "Mug",
    "subtitle": "Large",
    "thumbnail": "/mug.png",
    "product_title": "Mug",
    "product_subtitle": "Holds tea",
    "product_description": "Clay",
    "product_type": "Kitchen",
    "product_type_id": None,
    "product_collection": "Summer",
    "product_handle": "mug",
    "variant_sku": "mug-l",
    "variant_barcode": "123",
    "variant_title": "Large",
    "variant_option_values": {"Size": "Large", "Colour": "Red"},
    "requires_shipping": True,
    "is_discountable": False,
    "is_giftcard": False,
    "unit_price": 10,
    "quantity": 1,
    "metadata": None,
}


def test_a_gift_card_is_not_shipped() -> None:
    line = make.cart(make.sold_variant(product=ProductFactory(is_giftcard=True))).items.get()
    assert (line.is_giftcard, line.requires_shipping) == (True, False)


def test_what_the_channel_does_not_show_is_not_sold() -> None:
    cart = make.cart()
    hidden = {
        "draft": make.sold_variant(product=ProductFactory(status=ProductStatus.DRAFT)),
        "elsewhere": make.sold_variant(product=ProductFactory(sales_channels=[SalesChannelFactory()])),
        "deleted": make.sold_variant(deleted_at=now()),
        "of a deleted product": make.sold_variant(product=ProductFactory(deleted_at=now())),
    }
    for variant_id in (*(variant.pk for variant in hidden.values()), "nobody", "\0"):
        message = refused(VariantsNotSold, line_addition.add, cart, variant_id=variant_id, quantity=1)
        assert message == f"Product variant with id: {variant_id} was not found in the cart's sales channel"


def test_what_the_cart_already_contains_is_refused_by_title() -> None:
    mug = make.sold_variant(product=ProductFactory(title="Mug"), title="Blue")
    cart = make.cart(mug)
    mug.product.status = ProductStatus.DRAFT
    mug.product.save()
    message = refused(LinesNotSold, line_addition.add, cart, variant_id=mug.pk, quantity=1)
    assert message == "Remove from the cart what is no longer available: Mug (Blue)"


def test_what_has_no_price_in_the_carts_money_is_not_sold() -> None:
    cart, euros, costly = make.cart(), make.sold_variant(currency_code="eur"), VariantFactory(manage_inventory=False)
    price(costly, 5, min_quantity=10)
    for variant, quantity in ((euros, 1), (costly, 9)):
        message = refused(LinesWithoutPrice, line_addition.add, cart, variant_id=variant.pk, quantity=quantity)
        assert message == f"No price in this quantity and region for {make.title_of(variant)}"
    add(cart, costly, 10)
    assert lines(cart) == [(costly.pk, 10, 50)]


def test_the_price_is_that_of_the_quantity_and_a_sale_shows_what_it_undercut() -> None:
    mug = make.sold_variant(10)
    price(mug, 8, min_quantity=5)
    cart = make.cart(mug)
    line = cart.items.get()
    assert (line.unit_price, line.compare_at_unit_price) == (10, None)
    line_change.change(actor=make.shopper(), cart_id=cart.pk, line_id=line.pk, quantity=5)
    assert cart.items.get().unit_price == 8
    price(mug, 6, price_list=PriceListFactory())
    line_change.change(actor=make.shopper(), cart_id=cart.pk, line_id=line.pk, quantity=6)
    line = cart.items.get()
    assert (line.unit_price, line.compare_at_unit_price, line.total) == (6, 8, 36)


def test_a_line_whose_price_is_gone_keeps_the_one_it_remembers() -> None:
    mug, tea = make.sold_variant(10), make.sold_variant(3)
    cart = make.cart(mug)
    mug.price_set.prices.all().delete()
    add(cart, tea)
    assert lines(cart) == [(mug.pk, 1, 10), (tea.pk, 1, 3)]


def test_stock_limits_what_lines_take_together() -> None:
    mug = make.sold_variant(10, in_stock=5)
    cart = make.cart(NewLineItem(mug.pk, 3))
    message = refused(LinesOutOfStock, line_addition.add, cart, variant_id=mug.pk, quantity=3, metadata={"gift": True})
    assert message == f"Not enough stock available for {make.title_of(mug)}"
    add(cart, mug, 2, metadata={"gift": True})
    changed = refused(LinesOutOfStock, line_change.change, cart, line_id=cart.items.order_by("pk")[0].pk, quantity=4)
    assert changed == message


def test_kits_take_from_the_stock_of_what_they_are_made_of() -> None:
    item = InventoryItem.objects.create(title="Cup")
    single, pair = make.sold_variant(10), make.sold_variant(18)
    for variant in (single, pair):
        variant.manage_inventory = True
        variant.save()
    location = stock(single, 5, item=item).location
    pair.inventory_links.create(inventory_item=item, required_quantity=2)
    cart = make.cart(NewLineItem(pair.pk, 2))
    refused(LinesOutOfStock, line_addition.add, cart, variant_id=single.pk, quantity=2)
    add(cart, single)
    assert location.levels.get().reserved_quantity == 0


def test_a_managed_variant_without_items_has_no_stock() -> None:
    refused(LinesOutOfStock, line_addition.add, make.cart(), variant_id=_managed().pk, quantity=1)


def _managed() -> Any:
    variant = make.sold_variant(10)
    variant.manage_inventory = True
    variant.save()
    return variant


def test_backorder_sells_what_is_not_there() -> None:
    mug = make.sold_variant(10, in_stock=1, allow_backorder=True)
    cart = make.cart(mug)
    add(cart, mug, 9)
    assert lines(cart) == [(mug.pk, 10, 100)]


def test_stock_elsewhere_does_not_count() -> None:
    mug = make.sold_variant(10, in_stock=0)
    level = stock(mug, 7)
    level.location.sales_channels.set([SalesChannelFactory()])
    refused(LinesOutOfStock, line_addition.add, make.cart(), variant_id=mug.pk, quantity=1)


def test_scarcity_stops_neither_shrinking_nor_other_lines() -> None:
    mug, tea = make.sold_variant(10, in_stock=5), make.sold_variant(2, in_stock=5)
    cart = make.cart(NewLineItem(mug.pk, 5))
    count_stock(1, mug.inventory_items.get().levels.all())
    line_change.change(actor=make.shopper(), cart_id=cart.pk, line_id=cart.items.get().pk, quantity=4)
    add(cart, tea)
    assert lines(cart) == [(mug.pk, 4, 40), (tea.pk, 1, 2)]


def test_a_quantity_of_none_takes_a_line_out_as_removal_does() -> None:
    mug, tea, jam = make.sold_variant(10), make.sold_variant(2), make.sold_variant(5)
    make.PromotionFactory(is_automatic=True)
    cart = make.cart(mug, tea, jam)
    first, second, _ = cart.items.order_by("pk")
    line_change.change(actor=make.shopper(), cart_id=cart.pk, line_id=first.pk, quantity=0)
    line_removal.remove(actor=make.shopper(), cart_id=cart.pk, line_id=second.pk)
    cart.refresh_from_db()
    assert (lines(cart), cart.total) == ([(jam.pk, 1, 4.5)], 4.5)
    for gone in (first, second):
        refused(LineItemNotFound, line_removal.remove, cart, line_id=gone.pk)
        refused(LineItemNotFound, line_change.change, cart, line_id=gone.pk, quantity=1)


def test_a_line_of_another_cart_is_not_found() -> None:
    cart, other = make.cart(make.sold_variant()), make.cart(make.sold_variant())
    line_id = other.items.get().pk
    assert refused(LineItemNotFound, line_change.change, cart, line_id=line_id, quantity=2) == (
        f"Line item with id: {line_id} was not found"
    )
    assert LineItem.objects.get(pk=line_id).quantity == 1


def test_metadata_is_merged() -> None:
    mug = make.sold_variant()
    cart = make.cart(NewLineItem(mug.pk, 1, {"a": 1, "b": 2}))
    changed = {"quantity": 1, "metadata": {"a": "", "c": [3]}}
    line_change.change(actor=make.shopper(), cart_id=cart.pk, line_id=cart.items.get().pk, **changed)
    assert cart.items.get().metadata == {"b": 2, "c": [3]}


@pytest.mark.parametrize("quantity", [0, -1, MAX_QUANTITY + 1])
def test_a_line_has_one_piece_at_least_and_not_too_many(quantity: int) -> None:
    refused(InvalidData, line_addition.add, make.cart(), variant_id=make.sold_variant().pk, quantity=quantity)


def test_pieces_beyond_the_most_are_refused_together() -> None:
    mug = make.sold_variant(1)
    cart = make.cart(NewLineItem(mug.pk, MAX_QUANTITY))
    refused(InvalidData, line_addition.add, cart, variant_id=mug.pk, quantity=1)


def test_amounts_that_cannot_be_kept_are_refused() -> None:
    mug = make.sold_variant(10**11)
    cart = make.cart(mug)
    assert "out of bounds" in refused(InvalidData, line_addition.add, cart, variant_id=mug.pk, quantity=1)


def test_a_completed_cart_stands() -> None:
    mug = make.sold_variant()
    cart = make.cart(mug)
    Cart.objects.filter(pk=cart.pk).update(completed_at=now())
    line_id = cart.items.get().pk
    for verb, values in (
        (line_addition.add, {"variant_id": mug.pk, "quantity": 1}),
        (line_change.change, {"line_id": line_id, "quantity": 2}),
        (line_removal.remove, {"line_id": line_id}),
    ):
        assert refused(CartCompleted, verb, cart, **values) == (f"Cart {cart.pk} is already completed.")
