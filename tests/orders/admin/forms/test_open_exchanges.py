"""The forms about an exchange or a claim that a program has begun, and about one that is confirmed."""

from typing import Any

import pytest

from kit.domain.actor import SYSTEM
from orders.admin.actions import ACTIONS, action_url
from orders.changes.added_lines import NewItem
from orders.exchanges import exchanging, inbound, lifecycle, outbound, written_off
from orders.exchanges.inbound import ReturnedUnits
from orders.exchanges.written_off import ClaimedUnits
from orders.models import Order, OrderChange, Return
from orders.states import ChangeKind, ClaimReason, ClaimType
from tests.orders.admin.forms.desk import act, desk, filled, page, refusal, send, text_of
from tests.orders.admin.forms.edits import edited
from tests.orders.admin.forms.exchanges import delivered_a, name, units
from tests.orders.changes.shop import goods, line, outcome, reserved
from tests.orders.fulfillments.shop import pack
from tests.orders.returns.shop import receive

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def page_of(client: Any, order: Order) -> str:
    return text_of(client.get(f"/admin/orders/order/{order.pk}/change/"))


def begun() -> tuple[Order, str]:
    """A mug of the order is exchanged for a lamp: 90.00 instead of 60.00, of which 12.00 come back."""
    order = delivered_a()
    kind, why = ChangeKind.EXCHANGE, "Wants a lamp"
    change_id = lifecycle.begin(actor=SYSTEM, order_id=order.pk, kind=kind, description=why)
    inbound.add(actor=SYSTEM, change_id=change_id, items=[ReturnedUnits(line(order, "mug").pk, 1)])
    outbound.add(actor=SYSTEM, change_id=change_id, items=[NewItem(goods("lamp", 25).pk, 1)])
    return order, change_id


def test_an_open_exchange_is_shown_and_confirmed() -> None:
    client, user = desk()
    order, change_id = begun()
    shown = page_of(client, order)
    found = [label in shown for label in ("Confirm exchange", "Cancel exchange", "Settle a claim", "Edit order")]
    assert found == [True, True, False, False]
    for form in ("exchange", "claim", "edit"):
        assert client.get(action_url(order.pk, form)).status_code == 302
    text = page(client, order, "confirm-exchange", change_id)
    for part in ("Wants a lamp", f"1 {name(order, 'mug')} to come back, +1 lamp", "$18.00 is then due."):
        assert part in text
    form = filled(client, order, "confirm-exchange", change_id)
    for _ in range(2):
        assert send(client, order, "confirm-exchange", change_id, form) == "Exchanged: $18.00 due."
    assert outcome(order)[:2] == ("90.00", "18.00")
    assert OrderChange.objects.get().confirmed_by == user.pk


def test_an_open_exchange_is_canceled() -> None:
    client, user = desk()
    order, change_id = begun()
    assert "Nothing of the order changes." in page(client, order, "cancel-exchange", change_id)
    assert act(client, order, "cancel-exchange", change_id) == "Exchange 1 canceled."
    change = OrderChange.objects.get()
    assert (change.status, change.canceled_by) == ("canceled", user.pk)
    assert outcome(order)[:2] == ("60.00", "0.00")
    for form in ("confirm-exchange", "cancel-exchange"):
        assert client.get(action_url(order.pk, form, change_id)).status_code == 302


def test_an_open_claim_is_confirmed() -> None:
    client, _ = desk()
    order = delivered_a()
    change_id = lifecycle.begin(actor=SYSTEM, order_id=order.pk, kind=ChangeKind.CLAIM, claim_type=ClaimType.REFUND)
    items = [ClaimedUnits(line(order, "mug").pk, 1, ClaimReason.MISSING_ITEM)]
    written_off.add(actor=SYSTEM, change_id=change_id, items=items)
    assert "(missing item)" in page(client, order, "confirm-claim", change_id)
    assert act(client, order, "confirm-claim", change_id) == "Claimed: $12.00 owed to the customer."
    assert outcome(order)[:2] == ("48.00", "-12.00")


def test_a_confirmed_exchange_is_canceled_while_nothing_has_moved() -> None:
    """Case 43."""
    client, user = desk()
    order, lamp = delivered_a(), goods("lamp", 25)
    edited(client, order, "exchange", **{units(order, "mug"): "1", "variant_1": lamp.pk})
    change = OrderChange.objects.get()
    assert "Cancel exchange" in page_of(client, order)
    text = page(client, order, "cancel-exchange", change.pk)
    for part in ("1 mug", "+1 lamp", "Its returns are canceled, and what it added is removed"):
        assert part in text
    form = filled(client, order, "cancel-exchange", change.pk)
    for _ in range(2):
        assert send(client, order, "cancel-exchange", change.pk, form) == "Exchange 1 canceled."
    assert outcome(order)[:4] == ("60.00", "0.00", "captured", "delivered")
    assert reserved(order) == {"lamp": 0, "mug": 0, "tee": 0}
    assert Return.objects.get().status == "canceled"
    change.refresh_from_db()
    assert (change.status, change.canceled_by) == ("canceled", user.pk)
    assert "Exchange 1 canceled" in page_of(client, order)
    assert client.get(action_url(order.pk, "cancel-exchange", change.pk)).status_code == 302


@pytest.mark.parametrize("what", ["received", "packed"])
def test_a_confirmed_exchange_stays_once_anything_has_moved(what: str) -> None:
    """Case 44."""
    client, _ = desk()
    order, blue = delivered_a(), goods("blue", 10)
    edited(client, order, "exchange", **{units(order, "mug"): "1", "variant_1": blue.pk})
    change = OrderChange.objects.get()
    form = filled(client, order, "cancel-exchange", change.pk)
    if what == "received":
        receive(Return.objects.get(), 1)
    else:
        pack(order, 0, 0, 1)
    assert "Cancel exchange" not in page_of(client, order)
    assert client.get(action_url(order.pk, "cancel-exchange", change.pk)).status_code == 302
    [told] = refusal(client, order, "cancel-exchange", change.pk, form)
    assert "Nothing was done: this order was changed" in told
    assert OrderChange.objects.get().status == "confirmed"


def test_a_claim_with_two_returns_has_one_button() -> None:
    """One mug of the claim comes back, the tee does not."""
    client, _ = desk()
    order = delivered_a()
    mug, tee = line(order, "mug"), line(order, "tee")
    exchanging.claim(
        actor=SYSTEM,
        order_id=order.pk,
        claim_type=ClaimType.REFUND,
        claimed=[ClaimedUnits(tee.pk, 1, ClaimReason.MISSING_ITEM)],
        returned=[ReturnedUnits(mug.pk, 1)],
    )
    shown = page_of(client, order)
    assert (shown.count("Cancel claim"), shown.count("Claim 1")) == (1, 4)  # two returns, begun and confirmed
    act(client, order, "cancel-claim", OrderChange.objects.get().pk)
    assert outcome(order)[:2] == ("60.00", "0.00")


def test_a_change_belongs_to_its_order_and_its_form() -> None:
    client, _ = desk()
    _, change_id = begun()
    other = delivered_a()
    for form in ("confirm-exchange", "cancel-exchange", "confirm-claim", "cancel-claim"):
        for about in (change_id, "ordch_none", "x\x00", ""):
            address = action_url(other.pk, form, about)
            assert client.get(address).status_code == client.post(address, {}).status_code == 404
    own = OrderChange.objects.get().order
    for form in ("confirm-claim", "cancel-claim", "confirm-edit", "cancel-edit"):
        assert client.get(action_url(own.pk, form, change_id)).status_code == 404


def test_the_forms_take_the_permissions_of_the_routes() -> None:
    names = [f"{verb}{kind}" for kind in ("exchange", "claim") for verb in ("", "confirm-", "cancel-")]
    assert {ACTIONS[form].permissions for form in names} == {("orders.add_orderchange", "orders.add_return")}
