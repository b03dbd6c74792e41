"""Migrating a shop that has orders already."""

import pytest

from orders.models import OrderSearch
from tests.contract.callers import importer
from tests.factories.apikeys import secret_key
from tests.factories.staff import UserFactory
from tests.orders.placed import placed
from tests.plugins.migrating import migrated_back

pytestmark = pytest.mark.django_db(transaction=True)


def test_0005_writes_the_entries_of_all_orders() -> None:
    made = [placed(), placed()]
    entries = OrderSearch.objects.order_by("order_id").values_list("order_id", "terms", "marked")
    before = list(entries)
    with migrated_back("orders", "0004_fulfillments"):
        pass
    assert list(entries) == before
    assert {order_id for order_id, *_ in before} == {each.pk for each in made}
    erp = importer(secret_key(UserFactory(is_superuser=True)))
    assert erp.get("/admin/orders", "q=guest").json()["count"] == 2
