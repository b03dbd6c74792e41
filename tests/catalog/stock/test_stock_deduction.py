"""Fulfillments and returns move stock and reservations."""

from collections.abc import Sequence

import pytest
from django.db import IntegrityError, transaction

from catalog.models import InventoryLevel, Reservation, StockMovement
from catalog.stock.errors import InventoryLevelNotFound, ReservationTooSmall, StockBelowZero
from catalog.stock.stock_claims import LineClaim, claim_stock
from catalog.stock.stock_deduction import StockQuantity, deduct_reserved_stock, restock, restore_reserved_stock
from kit.domain.actor import SYSTEM, Actor
from kit.domain.soft_deletion import delete
from shop.models import Store
from tests.architecture.test_query_budgets import statements
from tests.factories.inventory import InventoryItemFactory, StockLocationFactory, count_stock, stock
from tests.factories.products import VariantFactory

pytestmark = pytest.mark.django_db
STAFF = Actor(type="user", id="user_1", through="apk_1")


def sold(quantity: int, *, in_stock: int, line: str = "ordli_1", **columns: object) -> InventoryLevel:
    """A level of which so many pieces are sold to the line."""
    variant = VariantFactory(manage_inventory=True, **columns)
    level = stock(variant, in_stock)
    claim_stock([LineClaim(line, variant.pk, quantity)], str(Store.objects.get().default_sales_channel_id))
    return level


def ship(level: InventoryLevel, quantity: int, *, line: str = "ordli_1", fulfillment_id: str = "ful_1") -> None:
    part = StockQuantity(line, level.inventory_item_id, quantity)
    deduct_reserved_stock(actor=STAFF, location_id=level.location_id, quantities=[part], fulfillment_id=fulfillment_id)


def unship(level: InventoryLevel, quantity: int, *, line: str = "ordli_1", fulfillment_id: str = "ful_1") -> None:
    part = StockQuantity(line, level.inventory_item_id, quantity)
    restore_reserved_stock(actor=STAFF, location_id=level.location_id, quantities=[part], fulfillment_id=fulfillment_id)


def state(level: InventoryLevel) -> tuple[int, int]:
    level.refresh_from_db()
    return level.stocked_quantity, level.reserved_quantity


def reserved() -> list[int]:
    return list(Reservation.objects.not_deleted().order_by("pk").values_list("quantity", flat=True))


def test_two_of_five_and_then_three_leave() -> None:
    level = sold(5, in_stock=7)
    ship(level, 2)
    assert (state(level), reserved()) == ((5, 3), [3])
    with pytest.raises(ReservationTooSmall) as refusal:
        ship(level, 4, fulfillment_id="ful_2")
    assert refusal.value.message == (
        f"Quantity to fulfill exceeds the reserved quantity of item {level.inventory_item_id} "
        f"at location {level.location_id}: 3 reserved, 4 wanted"
    )
    ship(level, 3, fulfillment_id="ful_2")
    assert (state(level), reserved()) == ((2, 0), [])
    shipped = StockMovement.objects.filter(reason="fulfillment").order_by("pk")
    assert list(
        shipped.values_list(
            "stocked_before", "stocked_after", "reference_id", "created_by", "api_key_id", "backordered"
        )
    ) == [(7, 5, "ful_1", "user_1", "apk_1", 0), (5, 2, "ful_2", "user_1", "apk_1", 0)]


def test_a_canceled_fulfilment_leaves_stock_and_reservations_as_before() -> None:
    level = sold(5, in_stock=7)
    ship(level, 2)
    unship(level, 2)
    assert (state(level), sum(reserved())) == ((7, 5), 5)
    ship(level, 5, fulfillment_id="ful_2")
    unship(level, 5, fulfillment_id="ful_2")
    assert (state(level), sum(reserved())) == ((7, 5), 5)
    ship(level, 5, fulfillment_id="ful_3")
    assert (state(level), reserved()) == ((2, 0), [])


def test_a_backorder_takes_the_stock_below_zero_and_comes_back() -> None:
    level = sold(5, in_stock=3, allow_backorder=True)
    ship(level, 4)
    assert state(level) == (-1, 1)
    ship(level, 1, fulfillment_id="ful_2")
    assert state(level) == (-2, 0)
    unship(level, 4)
    assert state(level) == (2, 4)
    ship(level, 4, fulfillment_id="ful_3")
    assert state(level) == (-2, 0)


def test_what_was_not_sold_on_backorder_must_be_there() -> None:
    level = sold(5, in_stock=5)
    count_stock(4)
    with pytest.raises(StockBelowZero) as refusal:
        ship(level, 5)
    assert refusal.value.message == (
        f"Not enough stock of item {level.inventory_item_id} at location {level.location_id}: 4 in stock"
    )
    assert (state(level), reserved()) == ((4, 5), [5])


def test_a_backorder_beside_others_takes_no_more_than_its_own_below_zero() -> None:
    item, place = InventoryItemFactory(), StockLocationFactory()
    mug, card = VariantFactory(manage_inventory=True), VariantFactory(manage_inventory=True, allow_backorder=True)
    level = stock(mug, 3, item=item, location=place)
    card.inventory_links.create(inventory_item=item)
    channel = str(Store.objects.get().default_sales_channel_id)
    claim_stock([LineClaim("ordli_1", mug.pk, 3), LineClaim("ordli_2", card.pk, 2)], channel)
    both = [StockQuantity("ordli_1", item.pk, 3), StockQuantity("ordli_2", item.pk, 2)]
    count_stock(2)
    with pytest.raises(StockBelowZero):
        deduct_reserved_stock(actor=STAFF, location_id=place.pk, quantities=both, fulfillment_id="ful_1")
    count_stock(3)
    deduct_reserved_stock(actor=STAFF, location_id=place.pk, quantities=both, fulfillment_id="ful_1")
    assert state(level) == (-2, 0)


def test_other_lines_and_other_locations_reservations_are_left_alone() -> None:
    level = sold(2, in_stock=9)
    place = {"inventory_item": level.inventory_item, "location": level.location}
    other = Reservation.objects.create(line_item_id="ordli_2", quantity=4, **place)
    with pytest.raises(ReservationTooSmall):
        ship(level, 3)
    ship(level, 2)
    other.refresh_from_db()
    assert (other.quantity, other.deleted_at, state(level)) == (4, None, (7, 4))
    elsewhere = StockLocationFactory()
    with pytest.raises(InventoryLevelNotFound, match=f"{level.inventory_item_id} is not stocked at .* {elsewhere.pk}"):
        deduct_reserved_stock(
            actor=STAFF,
            location_id=elsewhere.pk,
            quantities=[StockQuantity("ordli_2", level.inventory_item_id, 1)],
            fulfillment_id="ful_2",
        )


def test_a_line_with_several_reservations_uses_up_the_oldest_first() -> None:
    level = sold(2, in_stock=9)
    place = {"inventory_item": level.inventory_item, "location": level.location}
    Reservation.objects.create(line_item_id="ordli_1", quantity=4, **place)
    ship(level, 3)
    assert (state(level), reserved()) == ((6, 3), [3])


def test_what_was_sold_before_its_item_was_deleted_is_shipped() -> None:
    level = sold(2, in_stock=9)
    delete(level.inventory_item)
    ship(level, 2)
    assert state(level) == (7, 0)


@pytest.mark.parametrize("act", [ship, unship])
def test_one_fulfilment_moves_stock_once(act: object) -> None:
    level = sold(4, in_stock=9)
    ship(level, 1)
    unship(level, 1)
    before = state(level)
    with pytest.raises(IntegrityError), transaction.atomic():
        act(level, 1)
    assert state(level) == before


def test_returned_pieces_are_in_stock_again() -> None:
    level = stock(VariantFactory(), 1)
    for quantity in (2, 3):
        restock(
            actor=STAFF,
            location_id=level.location_id,
            quantities={level.inventory_item_id: quantity},
            return_id="return_1",
        )
    assert state(level) == (6, 0)
    assert StockMovement.objects.filter(reason="return", reference_id="return_1").count() == 2
    with pytest.raises(InventoryLevelNotFound):
        restock(actor=SYSTEM, location_id=level.location_id, quantities={"iitem_none": 1}, return_id="return_2")


@pytest.mark.parametrize("number", [1, 100])
def test_any_number_of_lines_takes_as_many_statements(number: int) -> None:
    place, quantities = StockLocationFactory(), list[StockQuantity]()
    for line in range(number):
        variant = VariantFactory(manage_inventory=True)
        level = stock(variant, 5, location=place)
        quantities.append(StockQuantity(f"ordli_{line}", level.inventory_item_id, 3))
        Reservation.objects.create(
            inventory_item=level.inventory_item, location=place, quantity=3, line_item_id=f"ordli_{line}"
        )

    def cost(work: object, quantities: Sequence[StockQuantity]) -> int:
        with statements() as done:
            work(actor=STAFF, location_id=place.pk, quantities=quantities, fulfillment_id="ful_1")
        return len(done)

    assert (cost(deduct_reserved_stock, quantities), cost(restore_reserved_stock, quantities)) == (4, 4)
    with statements() as done:
        restock(
            actor=STAFF,
            location_id=place.pk,
            quantities={part.inventory_item_id: part.quantity for part in quantities},
            return_id="return_1",
        )
    assert len(done) == 2
