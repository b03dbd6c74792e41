"""What becomes of the goods of exchanges and claims: how they are sent, what was lost, and what counts as sold."""

from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from giftcards.verification.verification import discrepancies
from kit.domain.actor import SYSTEM, Actor
from kit.errors import Forbidden
from orders.changes.added_lines import NewItem
from orders.changes.lifecycle import set_properties
from orders.changes.shipping import NewMethod
from orders.exchanges import exchanging
from orders.exchanges.written_off import ClaimedUnits
from orders.fulfillments import delivery, shipping
from orders.models import Fulfillment, Order
from orders.reports.sales.best_sellers import best_sellers
from orders.reports.sales.by_product import sales_by_product
from orders.reports.sales.periods import Period
from orders.returns.errors import TooManyToReturn
from orders.states import ChangeKind, ClaimType
from tests.factories.fulfillment import option
from tests.orders.changes.shop import goods, line, order_a, outcome
from tests.orders.exchanges.shop import back, begun, delivered_a
from tests.orders.fulfillments.shop import STAFF, pack
from tests.orders.returns.shop import request

pytestmark = pytest.mark.django_db


def test_goods_of_an_exchange_go_by_its_own_option(settings: Settings) -> None:
    settings.FULFILL_UNPAID = True
    order = order_a()
    delivery.deliver(actor=STAFF, fulfillment_id=pack(order, 2).pk)
    post, express = order.shipping_methods.get().shipping_option_id, option(3).pk
    for title, given in (("blue", {"outbound_shipping": NewMethod(express)}), ("red", {})):
        exchanging.exchange(
            actor=STAFF, order_id=order.pk, returned=back(order), added=[NewItem(goods(title, 10).pk, 1)], **given
        )  # fmt: skip
    assert _option(pack(order, 0, 0, 1)) == express
    assert _option(pack(order, 0, 1)) == post
    assert _option(pack(order, 0, 0, 0, 1)) == post


def _option(fulfillment: Fulfillment) -> str | None:
    return fulfillment.shipping_option_id


def half_lost() -> Order:
    """A, of which one mug and the tee were delivered. The parcel with the other mug was lost, which is written off."""
    order = order_a()
    parcels = [pack(order, *units).pk for units in ((1,), (0, 1), (1,))]
    for parcel in parcels:
        shipping.ship(actor=STAFF, fulfillment_id=parcel)
    for parcel in parcels[:2]:
        delivery.deliver(actor=STAFF, fulfillment_id=parcel)
    assert outcome(order).fulfillment == "partially_delivered"
    exchanging.claim(
        actor=STAFF, order_id=order.pk, claim_type=ClaimType.REFUND, claimed=[ClaimedUnits(line(order, "mug").pk, 1)]
    )  # fmt: skip
    return order


def test_an_order_is_delivered_once_what_was_lost_is_written_off() -> None:
    assert outcome(half_lost())[:4] == ("48.00", "-12.00", "captured", "delivered")


def test_what_was_delivered_stays_returnable_beside_what_was_lost() -> None:
    order = half_lost()
    request(order, 1)
    with pytest.raises(TooManyToReturn):
        request(order, 1)
    assert list(discrepancies()) == []


def test_what_was_delivered_can_be_exchanged_beside_what_was_lost() -> None:
    order = half_lost()
    given = {"actor": STAFF, "order_id": order.pk, "added": [NewItem(goods("blue", 10).pk, 1)]}
    exchanging.exchange(**given, returned=back(order))
    assert outcome(order)[:3] == ("60.00", "-12.00", "captured")
    with pytest.raises(TooManyToReturn):
        exchanging.exchange(**given, returned=back(order))


def test_a_broken_unit_that_was_delivered_is_not_returnable() -> None:
    order = delivered_a()
    claimed = [ClaimedUnits(line(order, "mug").pk, 1)]
    exchanging.claim(actor=STAFF, order_id=order.pk, claim_type=ClaimType.REFUND, claimed=claimed)
    with pytest.raises(TooManyToReturn):
        request(order, 2)
    request(order, 1)


@pytest.mark.parametrize("kind", [ChangeKind.EXCHANGE, ChangeKind.CLAIM])
def test_who_sets_properties_of_an_exchange_may_return_units(kind: ChangeKind) -> None:
    change_id = begun(delivered_a(), kind, ClaimType.REFUND if kind == ChangeKind.CLAIM else None)
    editor = Actor("user", "user_bob", permitted=lambda permission: permission != "orders.add_return")
    with pytest.raises(Forbidden):
        set_properties(actor=editor, change_id=change_id, internal_note="Called")
    set_properties(actor=STAFF, change_id=change_id, internal_note="Called")


@pytest.mark.parametrize("wrong", ["29", "31", "42"])
def test_a_wrong_agreed_total_is_found_beside_a_plain_return(wrong: str) -> None:
    """The tee is exchanged, which is 30.00, and a mug is to be returned, which is 12.00."""
    order = delivered_a()
    added = [NewItem(goods("blue", 10).pk, 1)]
    exchanging.exchange(actor=STAFF, order_id=order.pk, returned=back(order, "tee"), added=added)
    request(order, 1)
    assert list(discrepancies()) == []
    Order.objects.update(agreed_return_total=wrong)
    assert any("of agreed returns, but its lines hold 30" in text for text in map(str, discrepancies()))


def test_a_replacement_is_no_sale() -> None:
    """2 mugs and a tee were sold. A claim replaces both mugs, and sends a lamp besides, which is sold."""
    order = delivered_a()
    mug = line(order, "mug")
    exchanging.claim(
        actor=STAFF, order_id=order.pk, claim_type=ClaimType.REPLACE, claimed=[ClaimedUnits(mug.pk, 2)],
        added=[NewItem(str(mug.variant_id), 2), NewItem(goods("lamp", 25).pk, 1)],
    )  # fmt: skip
    sold: list[tuple[str, int, Any]] = [("lamp", 1, 30), ("mug", 2, 24), ("tee", 1, 30)]
    today = timezone.localdate()
    found = sales_by_product(SYSTEM, Period(today, today))
    assert sorted((each.title, each.units, each.amount) for each in found) == sold
    best = best_sellers(SYSTEM, since=today, number=3)
    assert sorted((each.title, each.units, sum(each.revenue.values())) for each in best) == sold
