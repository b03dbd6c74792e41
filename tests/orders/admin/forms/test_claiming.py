"""Settling a claim about units of an order in one form. Cases: section 6 of the paper on changes."""

import pytest

from catalog.models import InventoryLevel, ProductVariant, StockMovement
from orders.fulfillments import shipping
from orders.models import GrantedRefund, OrderChange, OrderLineItem, Return
from tests.orders.admin.forms.desk import desk, filled, text_of
from tests.orders.admin.forms.edits import edited, refusals
from tests.orders.admin.forms.exchanges import delivered_a, name, units
from tests.orders.changes.shop import goods, line, order_a, outcome
from tests.orders.fulfillments.shop import STAFF, pack
from tests.orders.managing.shop import work
from tests.orders.returns.shop import request

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def test_a_broken_mug_that_the_customer_keeps_is_replaced() -> None:
    """Case 45."""
    client, user = desk()
    order = delivered_a()
    mug, called = line(order, "mug"), name(order, "mug")
    told, message = edited(client, order, "claim", **{units(order, "mug"): "1", "reason": "production_failure"})
    assert told == [
        f"{called}: 1 claimed, not to come back, $24.00 → $12.00.",
        f"{called}: 1 added, $12.00.",
        "Total with tax: $60.00 → $60.00.",
        "Nothing is then due or owed.",
    ]
    assert message == "Claimed: nothing due or owed."
    assert outcome(order)[:3] == ("60.00", "0.00", "captured")
    level = InventoryLevel.objects.get(inventory_item__variant_links__variant=mug.variant_id)
    assert (level.stocked_quantity, level.reserved_quantity) == (8, 1)
    assert not StockMovement.objects.filter(reason="return").exists()
    change, returned = OrderChange.objects.get(), Return.objects.get()
    assert (change.kind, change.claim_type, change.confirmed_by) == ("claim", "replace", user.pk)
    assert (returned.is_written_off, returned.status) == (True, "received")
    address = f"/admin/orders/order/{order.pk}/change/"
    client.get(address)  # with the message
    shown = text_of(client.get(address))
    for part in (
        f"Claim 1 confirmed: 1 {called} claimed (production failure), +1 mug.",
        "Return 1Written offClaim 1",
    ):
        assert part in shown, part


def test_a_missing_mug_is_refunded_at_once() -> None:
    """Case 46."""
    client, _ = desk()
    order = delivered_a()
    given = {units(order, "mug"): "1", "claim_type": "refund", "reason": "missing_item", "settlement": "refund"}
    told, message = edited(client, order, "claim", **given)
    assert told == [
        f"{name(order, 'mug')}: 1 claimed, not to come back, $24.00 → $12.00.",
        "Items: $54.00 → $42.00.",
        "Tax: $10.00 → $8.00.",
        "Total with tax: $60.00 → $48.00.",
        "$12.00 is then owed to the customer.",
        "It is refunded to where it was paid from.",
    ]
    assert message == "Claimed: $12.00 owed to the customer. $12.00 is being refunded."
    work()
    assert outcome(order)[:3] == ("48.00", "0.00", "partially_refunded")
    refund = GrantedRefund.objects.get()
    assert (refund.amount, refund.allowance, refund.note) == (12, 0, "A claim was settled.")


def test_a_wrong_tee_comes_back_and_another_item_is_sent() -> None:
    client, _ = desk()
    order, lamp = delivered_a(), goods("lamp", 25)
    tee = line(order, "tee")
    given = {units(order, "tee"): "1", f"reason_{tee.pk}": "wrong_item", f"back_{tee.pk}": "on", "variant_1": lamp.pk}
    told, _ = edited(client, order, "claim", **given)
    assert told == [
        f"{name(order, 'tee')}: 1 to come back.",
        f"lamp ({lamp.title}): 1 added, $30.00.",
        "Items: $54.00 → $84.00.",
        "Tax: $10.00 → $15.00.",
        "Total with tax: $60.00 → $90.00.",
        "Less what comes back: $0.00 → $30.00.",
        "Nothing is then due or owed.",
    ]
    assert outcome(order)[:3] == ("90.00", "0.00", "captured")
    returned = Return.objects.get()
    assert (returned.is_written_off, returned.status) == (False, "requested")
    claimed = OrderChange.objects.get().actions.get(action="write_off_item")
    assert (claimed.claim_reason, claimed.quantity) == ("wrong_item", 1)


def test_units_that_were_sent_can_be_claimed_before_they_arrive() -> None:
    """Case 49."""
    client, _ = desk()
    order = order_a()
    shipping.ship(actor=STAFF, fulfillment_id=pack(order, 1).pk)
    form = filled(client, order, "claim")
    assert (units(order, "mug") in form, units(order, "tee") in form) == (True, False)
    assert refusals(client, order, "claim", **{units(order, "mug"): "2"}) == {
        units(order, "mug"): ["Only 1 can still be claimed."]
    }
    assert refusals(client, order, "claim") == {"": ["Enter how many units to claim."]}
    told, _ = edited(client, order, "claim", **{units(order, "mug"): "1"})
    assert told[-1] == "Nothing is then due or owed."


def test_units_of_a_return_can_not_be_claimed() -> None:
    """Case 49."""
    client, _ = desk()
    order = delivered_a()
    request(order, 2)
    assert units(order, "mug") not in filled(client, order, "claim")
    assert OrderChange.objects.count() == 0


def test_what_makes_no_claim_stands_at_its_fields() -> None:
    client, _ = desk()
    order, lamp = delivered_a(), goods("lamp", 25)
    given = {units(order, "tee"): "1"}
    told = "Choose to send replacements, or leave this empty: nothing is sent for what is refunded."
    assert refusals(client, order, "claim", **given, claim_type="refund", variant_1=lamp.pk) == {"variant_1": [told]}
    assert list(refusals(client, order, "claim", **given, reason="broken")) == ["reason"]
    assert list(refusals(client, order, "claim", **given, claim_type="x")) == ["claim_type"]
    variant_id = line(order, "tee").variant_id
    ProductVariant.objects.get(pk=variant_id).delete()
    OrderLineItem.objects.filter(order=order, title="tee").update(variant_id=None)
    gone = {units(order, "tee"): ["It is not sold any more: choose another item to send."]}
    assert refusals(client, order, "claim", **given) == gone
