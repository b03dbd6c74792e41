"""Setting and adjusting stock, at one level or at many."""

import pytest

from catalog.models import InventoryLevel, StockMovement
from catalog.stock import errors
from catalog.stock.stock_batch import change_levels
from catalog.stock.stock_changes import StockChange, change_stock
from kit.domain.actor import SYSTEM, Actor
from kit.domain.soft_deletion import delete
from kit.errors import Forbidden, InvalidData
from tests.architecture.test_query_budgets import statements
from tests.factories.inventory import InventoryItemFactory, InventoryLevelFactory, StockLocationFactory

pytestmark = pytest.mark.django_db
MOST = 2**31 - 1


def of(level: InventoryLevel, **values: int) -> StockChange:
    return StockChange(level.inventory_item_id, level.location_id, **values)


def stocks(*levels: InventoryLevel) -> list[int]:
    return [InventoryLevel.objects.get(pk=level.pk).stocked_quantity for level in levels]


def last_movement() -> StockMovement:
    return StockMovement.objects.latest("pk")


def test_stock_is_set_and_adjusted_and_the_history_says_by_whom_and_why() -> None:
    level = InventoryLevelFactory(stocked_quantity=5)
    program = Actor(type="user", id="user_1", through="apk_1", permitted=lambda _: True)
    assert change_stock(actor=program, changes=[of(level, stocked_quantity=8)], note="Counted") == [level.pk]
    moved = last_movement()
    assert (moved.level, moved.reason, moved.stocked_before, moved.stocked_after) == (level, "set", 5, 8)
    assert (moved.created_by, moved.api_key_id, moved.note, moved.reference_id) == ("user_1", "apk_1", "Counted", None)

    change_stock(actor=SYSTEM, changes=[of(level, adjust_by=-3, incoming_quantity=4)])
    moved = last_movement()
    assert (moved.reason, moved.stocked_before, moved.stocked_after) == ("adjustment", 8, 5)
    assert (moved.created_by, moved.api_key_id) == (None, None)
    level.refresh_from_db()
    assert (level.stocked_quantity, level.incoming_quantity) == (5, 4)


def test_a_change_to_the_same_stock_is_no_movement() -> None:
    level = InventoryLevelFactory(stocked_quantity=5)
    before = StockMovement.objects.count()
    change_stock(actor=SYSTEM, changes=[of(level, stocked_quantity=5)])
    change_stock(actor=SYSTEM, changes=[of(level, adjust_by=0)])
    change_stock(actor=SYSTEM, changes=[of(level)])
    assert (StockMovement.objects.count(), stocks(level)) == (before, [5])


def test_another_stock_than_the_expected_one_refuses_all_changes_and_is_named() -> None:
    one, two = InventoryLevelFactory(stocked_quantity=5), InventoryLevelFactory(stocked_quantity=7)
    change_stock(actor=SYSTEM, changes=[of(one, stocked_quantity=4, expected_stocked_quantity=5)])
    with pytest.raises(errors.StockMismatch) as refusal:
        change_stock(
            actor=SYSTEM,
            changes=[
                of(two, stocked_quantity=1, expected_stocked_quantity=7),
                of(one, adjust_by=1, expected_stocked_quantity=5),
            ],
        )
    assert refusal.value.message == (
        "The stock differs from the expected quantity. Current stock: "
        f"4 of item {one.inventory_item_id} at location {one.location_id}"
    )
    assert stocks(one, two) == [4, 7]


REFUSED = [
    ({"stocked_quantity": -1}, InvalidData, "'stocked_quantity' too small"),
    ({"stocked_quantity": MOST + 1}, InvalidData, "'stocked_quantity' too big"),
    ({"incoming_quantity": -1}, InvalidData, "'incoming_quantity' too small"),
    ({"adjust_by": MOST}, InvalidData, "'adjust_by' too big"),
    ({"adjust_by": -6}, errors.StockBelowZero, "5 in stock"),
    ({"stocked_quantity": 1, "adjust_by": 1}, InvalidData, "cannot be given together"),
    ({"location_id": "sloc_none"}, errors.InventoryLevelNotFound, "is not stocked at location sloc_none"),
    ({"inventory_item_id": "iitem_none"}, errors.InventoryLevelNotFound, "Item iitem_none"),
]


@pytest.mark.parametrize(("values", "error", "message"), REFUSED)
def test_one_refused_change_refuses_them_all(values: dict[str, object], error: type[Exception], message: str) -> None:
    level, other = InventoryLevelFactory(stocked_quantity=5), InventoryLevelFactory(stocked_quantity=5)
    place = {"inventory_item_id": other.inventory_item_id, "location_id": other.location_id}
    with pytest.raises(error, match=message):
        change_stock(actor=SYSTEM, changes=[of(level, adjust_by=1), StockChange(**{**place, **values})])
    assert stocks(level, other) == [5, 5]


def test_a_level_is_changed_once_and_at_most_a_thousand_are() -> None:
    level = InventoryLevelFactory()
    with pytest.raises(InvalidData, match=f"{level.inventory_item_id} at location {level.location_id} is given twice"):
        change_stock(actor=SYSTEM, changes=[of(level, adjust_by=1), of(level, adjust_by=1)])
    many = [StockChange(f"iitem_{number}", level.location_id, adjust_by=1) for number in range(1001)]
    with pytest.raises(errors.TooManyStockChanges, match="got: '1001'"):
        change_stock(actor=SYSTEM, changes=many)
    with pytest.raises(errors.TooManyStockChanges, match="got: '1002'"):
        change_levels(actor=SYSTEM, create=many[:501], update=many[500:])


@pytest.mark.parametrize("deleted", ["inventory_item", "location"])
def test_of_what_is_deleted_nothing_is_changed(deleted: str) -> None:
    level = InventoryLevelFactory(stocked_quantity=5)
    delete(getattr(level, deleted))
    with pytest.raises(errors.InventoryLevelNotFound):
        change_stock(actor=SYSTEM, changes=[of(level, adjust_by=1)])


def test_each_verb_asks_for_its_permission() -> None:
    level, item = InventoryLevelFactory(), InventoryItemFactory()
    changing = Actor(type="user", id="u", permitted=lambda asked: asked == "catalog.change_inventorylevel")
    made = [StockChange(item.pk, level.location_id)]
    with pytest.raises(Forbidden, match="change_inventorylevel"):
        change_stock(actor=Actor(type="user", id="u"), changes=[of(level, adjust_by=1)])
    with pytest.raises(Forbidden, match="add_inventorylevel"):
        change_levels(actor=changing, create=made, update=[of(level, adjust_by=1)])
    assert stocks(level) == [0]
    change_levels(actor=changing, update=[of(level, adjust_by=1)])
    assert stocks(level) == [1]


def test_a_batch_makes_levels_and_changes_others() -> None:
    level, item, place = InventoryLevelFactory(stocked_quantity=5), InventoryItemFactory(), StockLocationFactory()
    created = [
        StockChange(item.pk, place.pk, stocked_quantity=3, incoming_quantity=2),
        StockChange(item.pk, level.location_id),
    ]
    done = change_levels(actor=SYSTEM, create=created, update=[of(level, stocked_quantity=1)], note="Spring")
    levels = InventoryLevel.objects
    assert done.created == [levels.get(inventory_item=item, location=each.location_id).pk for each in created]
    assert done.updated == [level.pk]
    made = levels.get(pk=done.created[0])
    assert (made.stocked_quantity, made.incoming_quantity, made.reserved_quantity) == (3, 2, 0)
    assert set(StockMovement.objects.filter(note="Spring").values_list("level_id", "reason", "stocked_after")) == {
        (made.pk, "set", 3),
        (level.pk, "set", 1),
    }


@pytest.mark.parametrize("column", ["item", "location"])
def test_a_refused_creation_changes_nothing(column: str) -> None:
    level, item, place = InventoryLevelFactory(stocked_quantity=5), InventoryItemFactory(), StockLocationFactory()
    delete(item if column == "item" else place)
    with pytest.raises(InvalidData, match=(item if column == "item" else place).pk):
        change_levels(actor=SYSTEM, create=[StockChange(item.pk, place.pk)], update=[of(level, stocked_quantity=1)])
    assert (stocks(level), InventoryLevel.objects.count()) == ([5], 1)


@pytest.mark.parametrize("number", [1, 200])
def test_any_number_of_changes_takes_as_many_statements(number: int) -> None:
    place = StockLocationFactory()
    items = InventoryItemFactory.create_batch(number)
    given = {"location_id": place.pk, "incoming_quantity": 1}
    with statements() as created:
        change_levels(actor=SYSTEM, create=[StockChange(item.pk, stocked_quantity=5, **given) for item in items])
    with statements() as updated:
        change_stock(actor=SYSTEM, changes=[StockChange(item.pk, adjust_by=2, **given) for item in items])
    assert (len(created), len(updated)) == (5, 3)
    assert set(InventoryLevel.objects.values_list("stocked_quantity", flat=True)) == {7}
