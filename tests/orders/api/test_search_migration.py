"""Migrating a shop that has orders already."""

from importlib import import_module

import pytest
from django.apps import apps

from orders.models import OrderSearch
from tests.contract.callers import importer
from tests.factories.apikeys import secret_key
from tests.factories.staff import UserFactory
from tests.giftcards.books import in_place
from tests.orders.placed import placed

pytestmark = pytest.mark.django_db

admin_reading = import_module("orders.migrations.0005_admin_reading")


def test_0005_writes_the_entries_of_all_orders() -> None:
    made = [placed(), placed()]
    entries = OrderSearch.objects.order_by("order_id").values_list("order_id", "terms", "marked")
    before = list(entries)
    in_place(lambda editor: admin_reading.empty(apps, editor))
    OrderSearch.objects.all().delete()
    in_place(lambda editor: admin_reading.fill(apps, editor))
    assert list(entries) == before
    assert {order_id for order_id, *_ in before} == {each.pk for each in made}
    erp = importer(secret_key(UserFactory(is_superuser=True)))
    assert erp.get("/admin/orders", "q=guest").json()["count"] == 2
