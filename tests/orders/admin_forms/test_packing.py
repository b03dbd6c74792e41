"""The form that packs an order."""

import pytest

from orders.models import Fulfillment
from tests.orders.admin_forms.desk import desk, filled, history, page, send
from tests.orders.fulfillments.shop import books, lines
from tests.orders.returns.shop import paid

pytestmark = pytest.mark.django_db


def test_it_proposes_all_that_remain_and_packs_them_once() -> None:
    client, user = desk()
    order = paid()
    text = page(client, order, "pack")
    assert "5 of 5 to pack, reserved: " in text
    assert "Takes 5 x " in text
    form = filled(client, order, "pack")
    (line,) = lines(order)
    assert form[f"units_{line.pk}"] == ["5"]
    message = send(client, order, "pack", "", form)
    assert message.startswith("Packed 5 units from ")
    assert books(order).counters == [(5, 0, 0)]
    assert send(client, order, "pack", "", form) == message
    assert Fulfillment.objects.count() == 1
    assert history(order) == [(user.email, message)]
