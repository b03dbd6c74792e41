"""Every change of stock leaves a movement; staff read them, and verify_ledger finds stock without one."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalog.models import InventoryLevel, StockMovement
from catalog.states import MovementReason
from catalog.stock import stock_triggers
from catalog.stock.stock_movements import Move, record_movements
from giftcards.verification.verification import discrepancies
from kit.domain.actor import Actor
from staff.models import User
from tests.catalog.admin.test_variant_admin import form_of
from tests.factories.apikeys import secret_key
from tests.factories.inventory import InventoryLevelFactory, ReservationFactory, StockLocationFactory, stock
from tests.factories.products import VariantFactory
from tests.factories.staff import UserFactory
from tests.giftcards.books import in_place
from tests.kit.admin.forms import errors, row, sent, submit
from tests.kit.admin.test_named_rows import text_of
from tests.kit.admin.visits import superuser, visitor

pytestmark = pytest.mark.django_db
LEVELS = "/admin/catalog/inventorylevel/"
MOVEMENTS = "/admin/catalog/stockmovement/"


def moved(level: InventoryLevel) -> list[tuple[str, int, int, str | None]]:
    movements = StockMovement.objects.filter(level=level).order_by("pk")
    return list(movements.values_list("reason", "stocked_before", "stocked_after", "created_by"))


def test_a_form_moves_stock_on_behalf_of_its_user() -> None:
    client, variant, place = superuser(), VariantFactory(), StockLocationFactory()
    user = User.objects.get(pk=client.session["_auth_user_id"])
    added = row(
        sent(client, form_of(variant)), "levels", location=place.pk, stocked_quantity="7", incoming_quantity="0"
    )
    submit(client, form_of(variant), added)
    level = InventoryLevel.objects.get()
    submit(client, form_of(variant), sent(client, form_of(variant), **{"levels-0-stocked_quantity": "4"}))
    submit(client, form_of(variant), sent(client, form_of(variant), **{"levels-0-incoming_quantity": "3"}))
    assert moved(level) == [("set", 0, 7, user.pk), ("adjustment", 7, 4, user.pk)]
    level.refresh_from_db()
    assert (level.stocked_quantity, level.incoming_quantity) == (4, 3)


def test_goods_are_entered_where_backorders_took_the_stock_below_zero() -> None:
    client, variant = superuser(), VariantFactory()
    level = stock(variant, 0)
    record_movements([Move(level, -5, backordered=5)], actor=Actor("system"), reason=MovementReason.FULFILLMENT)
    submit(client, form_of(variant), sent(client, form_of(variant), **{"levels-0-stocked_quantity": "-2"}))
    level.refresh_from_db()
    assert level.stocked_quantity == -2
    lower = sent(client, form_of(variant), **{"levels-0-stocked_quantity": "-3"})
    assert errors(client.post(form_of(variant), lower)) == {
        "levels-0-stocked_quantity": ["Only -2 are left: 1 cannot be removed."]
    }
    place = StockLocationFactory().pk
    added = row(sent(client, form_of(variant)), "levels", location=place, stocked_quantity="-1", incoming_quantity="0")
    assert errors(client.post(form_of(variant), added)) == {"levels-1-stocked_quantity": ["Enter 0 or more."]}


def test_a_levels_page_shows_its_history_and_nobody_writes_it() -> None:
    level, user = InventoryLevelFactory(stocked_quantity=3), UserFactory(email="ann@shop.example")
    key = secret_key(user).key
    program = Actor("user", id=user.pk, through=key.pk)
    record_movements(
        [Move(level, 8)], actor=program, reason=MovementReason.RETURN, reference_id="return_1", note="Intact"
    )
    InventoryLevelFactory(stocked_quantity=9)
    client = superuser()
    page = text_of(client.get(f"{LEVELS}{level.pk}/change/").content.decode())
    for text in ("Return", "Intact", "+5", f"ann@shop.example through {key}", "Set", "+3"):
        assert text in page, text
    assert "+9" not in page
    listed = text_of(client.get(MOVEMENTS).content.decode())
    assert all(text in listed for text in ("+9", "+5", f"ann@shop.example through {key}"))
    newest = StockMovement.objects.latest("pk")
    assert client.get(f"{MOVEMENTS}{newest.pk}/change/").status_code == 200
    assert client.post(f"{MOVEMENTS}{newest.pk}/change/", {"note": "x"}).status_code == 403
    assert client.get(f"{MOVEMENTS}add/").status_code == 403
    assert "Intact" not in visitor("catalog.view_inventorylevel").get(f"{LEVELS}{level.pk}/change/").content.decode()


def test_the_history_costs_no_more_statements_for_more_movements() -> None:
    client, level = superuser(), InventoryLevelFactory(stocked_quantity=1)

    def statements() -> int:
        with CaptureQueriesContext(connection) as context:
            assert client.get(MOVEMENTS).status_code == 200
            assert client.get(f"{LEVELS}{level.pk}/change/").status_code == 200
        return len(context)

    statements()  # fills caches of the process, such as content types
    few = statements()
    for quantity in range(2, 12):
        level.refresh_from_db()
        record_movements([Move(level, quantity)], actor=Actor("system"), reason=MovementReason.SET)
        InventoryLevelFactory(stocked_quantity=1)
    assert statements() == few


BROKEN = {
    "UPDATE catalog_inventorylevel SET stocked_quantity = 9": "has 9 in stock, but its movements add up to 5",
    "UPDATE catalog_inventorylevel SET reserved_quantity = 9": "has 9 reserved, but its reservations sum to 2",
    "UPDATE catalog_reservation SET quantity = 1": "has 2 reserved, but its reservations sum to 1",
    "DELETE FROM catalog_stockmovement": "has 5 in stock, but its movements add up to 0",
}


@pytest.mark.parametrize(("statement", "found"), BROKEN.items(), ids=BROKEN)
def test_verify_ledger_finds_stock_that_does_not_add_up(statement: str, found: str) -> None:
    level = ReservationFactory().inventory_item.levels.get()
    assert list(discrepancies()) == []
    in_place(stock_triggers.remove)
    with connection.cursor() as cursor:
        cursor.execute(statement)
    named = set(discrepancies())
    assert {f"The trigger {trigger.name} is missing" for trigger in stock_triggers.TRIGGERS[connection.vendor]} < named
    in_place(stock_triggers.install)
    assert list(discrepancies()) == [f"Stock level {level.pk} {found}"]


def test_verify_ledger_finds_a_reservation_that_no_level_counts() -> None:
    reservation = ReservationFactory()
    in_place(stock_triggers.remove)
    StockMovement.objects.all().delete()
    InventoryLevel.objects.all().delete()
    in_place(stock_triggers.install)
    place = f"item {reservation.inventory_item_id}, which location {reservation.location_id} does not stock"
    assert list(discrepancies()) == [f"Reservation {reservation.pk} is of {place}"]
