"""Model instances that are locked by a kept statement: the same as the ORM's, in the same order, with its lock."""

import pytest
from django.db import connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext

from catalog.models import InventoryLevel, Reservation
from kit.database.locking import lock_rows
from kit.reads.sql.locked_instances import locked_rows
from orders.models import Order
from tests.factories.inventory import InventoryLevelFactory, ReservationFactory
from tests.factories.orders import order

pytestmark = pytest.mark.django_db


def columns(row: Model) -> list[tuple[str, object, type]]:
    values = [(field.attname, getattr(row, field.attname)) for field in row._meta.concrete_fields]
    return [(name, value, type(value)) for name, value in values]


@pytest.mark.parametrize("model", [Order, InventoryLevel, Reservation])
def test_they_are_the_orms(model: type[Model]) -> None:
    stored = {Order: order, InventoryLevel: InventoryLevelFactory, Reservation: ReservationFactory}[model]()
    (read,) = locked_rows(model, model.objects.all).read([stored.pk])
    assert columns(read) == columns(model.objects.get(pk=stored.pk))
    assert read == stored
    assert not read._state.adding
    assert read._state.db == "default"


def test_the_statement_is_that_of_lock_rows() -> None:
    levels = sorted([InventoryLevelFactory(), InventoryLevelFactory()], key=lambda level: level.pk, reverse=True)
    kept = locked_rows(InventoryLevel, InventoryLevel.objects.all)
    with CaptureQueriesContext(connection) as statements:
        assert kept.read([level.pk for level in levels]) == lock_rows(InventoryLevel.objects.all())
    endings = [each["sql"].partition(" ORDER BY ")[2] for each in statements]
    assert endings[0] == endings[1]
    assert ("FOR NO KEY UPDATE" in endings[0]) == (connection.vendor == "postgresql")
