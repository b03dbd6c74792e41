"""Abandoned carts: on the overview, and in the list of carts."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from carts.admin import abandoned
from carts.models import Cart
from kit.admin.pages.dashboard import Panel
from kit.values.timestamps import now
from tests.factories import carts as make
from tests.factories.clock import at
from tests.kit.admin.visits import visitor

pytestmark = pytest.mark.django_db
EMAIL = "ann@example.com"


def left(ago: timedelta, *pieces: Any, email: str | None = EMAIL, **fields: Any) -> Cart:
    with at(now() - ago):
        return make.cart(*pieces, email=email, **fields)


def panel_of(client: Client) -> Panel:
    (panel,) = client.get("/admin/").context["panels"]
    assert isinstance(panel, Panel)
    return panel


def test_those_with_an_address_and_goods_between_an_hour_and_a_month() -> None:
    mug = make.sold_variant(10)
    found = [left(timedelta(minutes=61), mug), left(timedelta(days=29), mug, mug)]
    left(timedelta(minutes=59), mug)
    left(timedelta(days=31), mug)
    left(timedelta(hours=2), mug, email=None)
    left(timedelta(hours=2))
    client = visitor("carts.view_cart")
    panel = panel_of(client)
    assert [(figure.text, figure.meaning) for figure in panel.figures] == [("2", "with an email address")]
    assert panel.note == "They are worth $30.00."
    listed = client.get(panel.figures[0].address).context["cl"].result_list
    assert {row.pk for row in listed} == {cart.pk for cart in found}


def test_of_very_many_the_newest_are_summed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(abandoned, "MOST_COUNTED", 2)
    monkeypatch.setattr("kit.admin.pages.dashboard.MOST_COUNTED", 2)
    for hours, price in ((2, 1), (3, 2), (4, 4)):
        left(timedelta(hours=hours), make.sold_variant(price))
    panel = panel_of(visitor("carts.view_cart"))
    assert panel.figures[0].text == "2+"
    assert panel.note == "The newest 2 are worth $3.00."


def test_an_empty_shop_has_none() -> None:
    panel = panel_of(visitor("carts.view_cart"))
    assert (panel.figures[0].text, panel.note) == ("0", "")
