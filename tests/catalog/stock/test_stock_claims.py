"""Claiming stock for the lines of a cart: all of them or none, from one location or several, on backorder too."""

from collections import Counter

import pytest
from django.db.models import Sum

from catalog.models import InventoryLevel, ProductVariant, Reservation
from catalog.stock.errors import StockTooLow
from catalog.stock.stock_claims import LineClaim, claim_stock, release_stock
from kit.domain.soft_deletion import delete
from shop.models import Store
from tests.factories.inventory import InventoryItemFactory, StockLocationFactory, stock
from tests.factories.products import VariantFactory
from tests.factories.shop import SalesChannelFactory

pytestmark = pytest.mark.django_db


def channel() -> str:
    return str(Store.objects.get().default_sales_channel_id)


def managed(**columns: object) -> ProductVariant:
    return VariantFactory(manage_inventory=True, **columns)


def claim(*lines: tuple[ProductVariant, int]) -> None:
    """Claim for lines with the ids line_0, line_1 and so on."""
    claim_stock(
        [LineClaim(f"line_{n}", variant.pk, quantity) for n, (variant, quantity) in enumerate(lines)], channel()
    )


def reserved() -> dict[tuple[str, str], int]:
    """The quantities by line and location, after comparing every level with the sum of its reservations."""
    living = Reservation.objects.not_deleted()
    for level in InventoryLevel.objects.all():
        of_level = living.filter(inventory_item=level.inventory_item_id, location=level.location_id)
        assert level.reserved_quantity == (of_level.aggregate(sum=Sum("quantity"))["sum"] or 0)
    found = Counter[tuple[str, str]]()
    for line_id, location_id, quantity in living.values_list("line_item_id", "location_id", "quantity"):
        found[str(line_id), location_id] += quantity
    return dict(found)


def refused(*lines: tuple[ProductVariant, int]) -> tuple[str, ...]:
    before = reserved()
    with pytest.raises(StockTooLow) as error:
        claim(*lines)
    assert reserved() == before
    assert (error.value.type, error.value.code) == ("not_allowed", "insufficient_inventory")
    assert error.value.message == f"Not enough stock available for line items {', '.join(error.value.line_item_ids)}"
    return error.value.line_item_ids


def test_the_last_piece_is_reserved_and_not_one_more() -> None:
    mug = managed()
    level = stock(mug, 5)
    claim((mug, 5))
    assert reserved() == {("line_0", level.location_id): 5}
    assert refused((mug, 1)) == ("line_0",)


def test_a_kit_takes_of_each_item_what_it_requires() -> None:
    kit, place = managed(), StockLocationFactory()
    cups = stock(kit, 7, location=place, required_quantity=2)
    tray = stock(kit, 3, location=place)
    claim((kit, 3))
    cups.refresh_from_db()
    tray.refresh_from_db()
    assert (cups.reserved_quantity, tray.reserved_quantity) == (6, 3)
    assert reserved() == {("line_0", place.pk): 9}
    assert refused((kit, 1)) == ("line_0",)


def test_lines_of_one_item_count_together() -> None:
    mug = managed()
    stock(mug, 5)
    assert refused((mug, 3), (mug, 3)) == ("line_0", "line_1")
    claim((mug, 3), (mug, 2))
    assert sorted(reserved().values()) == [2, 3]


def test_a_variant_and_a_kit_share_an_item() -> None:
    cup, kit, other, item = managed(), managed(), managed(), InventoryItemFactory()
    level = stock(cup, 5, item=item)
    kit.inventory_links.create(inventory_item=item, required_quantity=2)
    stock(other, 1)
    assert refused((cup, 2), (other, 1), (kit, 2)) == ("line_0", "line_2")
    claim((cup, 1), (other, 1), (kit, 2))
    level.refresh_from_db()
    assert level.reserved_quantity == 5


def test_one_location_serves_an_item_where_one_suffices() -> None:
    mug, item = managed(), InventoryItemFactory()
    stock(mug, 2, item=item)
    enough = stock(mug, 4, item=item)
    claim((mug, 1), (mug, 3))
    assert reserved() == {("line_0", enough.location_id): 1, ("line_1", enough.location_id): 3}


def test_two_locations_serve_an_item_where_neither_suffices() -> None:
    mug, item = managed(), InventoryItemFactory()
    small, large = stock(mug, 2, item=item), stock(mug, 4, item=item)
    assert refused((mug, 7)) == ("line_0",)
    claim((mug, 6))
    assert reserved() == {("line_0", small.location_id): 2, ("line_0", large.location_id): 4}


def test_the_fullest_location_is_used_up_first() -> None:
    mug, item = managed(), InventoryItemFactory()
    small, large = stock(mug, 2, item=item), stock(mug, 4, item=item)
    claim((mug, 3), (mug, 2))
    assert reserved() == {
        ("line_0", large.location_id): 3,
        ("line_1", large.location_id): 1,
        ("line_1", small.location_id): 1,
    }


@pytest.mark.parametrize(
    ("allow_backorder", "units", "shares"), [(False, 4, (6, 2)), (False, 5, (7, 3)), (True, 6, (10, 2))]
)
def test_the_pieces_of_a_unit_come_from_one_location_that_has_them(
    allow_backorder: bool, units: int, shares: tuple[int, int]
) -> None:
    """A fulfillment leaves one location: a unit whose pieces are split cannot be packed."""
    pair = managed(allow_backorder=allow_backorder)
    large = stock(pair, 7, required_quantity=2)
    small = stock(pair, 3, item=large.inventory_item)
    claim((pair, units))
    assert reserved() == dict(zip([("line_0", level.location_id) for level in (large, small)], shares, strict=True))


def test_other_channels_locations_serve_nothing() -> None:
    mug, item = managed(), InventoryItemFactory()
    stock(mug, 9, item=item, location=StockLocationFactory(sales_channels=[SalesChannelFactory()]))
    assert refused((mug, 1)) == ("line_0",)
    own = stock(mug, 1, item=item, location=StockLocationFactory())
    claim((mug, 1))
    assert reserved() == {("line_0", own.location_id): 1}


def test_backorder_takes_what_is_there_and_exceeds_one_location() -> None:
    mug, item = managed(allow_backorder=True), InventoryItemFactory()
    small, large = stock(mug, 1, item=item), stock(mug, 2, item=item)
    claim((mug, 5))
    assert reserved() == {("line_0", small.location_id): 1, ("line_0", large.location_id): 4}
    claim((mug, 1))
    assert sum(reserved().values()) == 6


def test_backorder_leaves_the_stock_to_lines_without_it() -> None:
    mug, card, item = managed(), managed(allow_backorder=True), InventoryItemFactory()
    stock(mug, 3, item=item)
    card.inventory_links.create(inventory_item=item)
    claim((card, 2), (mug, 3))
    assert sorted(reserved().values()) == [2, 3]
    assert refused((card, 2), (mug, 1)) == ("line_1",)


def test_what_is_not_managed_takes_nothing() -> None:
    song = VariantFactory(manage_inventory=False)
    stock(song, 0)
    claim((song, 100))
    assert reserved() == {}


@pytest.mark.parametrize("allow_backorder", [False, True])
def test_a_managed_variant_without_an_item_or_a_place_is_out_of_stock(allow_backorder: bool) -> None:
    bare, unplaced, deleted, level_deleted = (managed(allow_backorder=allow_backorder) for _ in range(4))
    unplaced.inventory_links.create(inventory_item=InventoryItemFactory())
    delete(stock(deleted, 5).inventory_item)
    delete(stock(level_deleted, 5))
    lines = [(variant, 1) for variant in (bare, unplaced, deleted, level_deleted)]
    assert refused(*lines) == ("line_0", "line_1", "line_2", "line_3")


def test_a_deleted_variant_is_out_of_stock() -> None:
    gone = VariantFactory(manage_inventory=False)
    delete(gone)
    assert refused((gone, 1)) == ("line_0",)


def test_an_amount_that_no_level_can_hold_is_out_of_stock() -> None:
    mug = managed(allow_backorder=True)
    level = stock(mug, 0, required_quantity=2_000_000)
    assert refused((mug, 1_000_000)) == ("line_0",)
    claim((mug, 1_000))
    level.refresh_from_db()
    assert level.reserved_quantity == 2_000_000_000
    assert refused((mug, 100)) == ("line_0",)


def test_the_message_names_ten_lines_and_neither_item_nor_location() -> None:
    mug = managed()
    stock(mug, 5)
    with pytest.raises(StockTooLow) as error:
        claim(*[(mug, 1)] * 12)
    assert len(error.value.line_item_ids) == 12
    assert error.value.message.endswith("line_8, line_9")
    assert "iitem_" not in error.value.message
    assert "sloc_" not in error.value.message


def test_released_stock_can_be_claimed_again_and_is_released_once() -> None:
    mug, item = managed(), InventoryItemFactory()
    stock(mug, 2, item=item), stock(mug, 4, item=item)
    claim((mug, 5), (mug, 1))
    release_stock(["line_1", "unknown"])
    assert {line for line, _ in reserved()} == {"line_0"}
    for _ in range(2):
        release_stock(["line_0", "line_1"])
        assert reserved() == {}
    claim((mug, 6))
    assert sum(reserved().values()) == 6
