"""Exchanging units of an order in one form. Cases: section 6 of the paper on changes, in tests/orders/exchanges."""

import pytest

from kit.messages.mails.models import Mail
from orders.models import GrantedRefund, OrderChange, Return
from tests.factories.orders import return_reason
from tests.orders.admin.forms.desk import desk, history, text_of
from tests.orders.admin.forms.edits import edited
from tests.orders.admin.forms.exchanges import delivered_a, name, units
from tests.orders.changes.shop import goods, outcome, reserved
from tests.orders.managing.shop import work

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def test_a_mug_is_exchanged_for_a_lamp_and_the_rest_is_due() -> None:
    """Case 39."""
    client, user = desk()
    order, lamp, small = delivered_a(), goods("lamp", 25), return_reason("small", "Too small")
    version = order.version
    given = {units(order, "mug"): "1", "variant_1": lamp.pk, "reason": small.pk, "internal_note": "By phone"}
    told, message = edited(client, order, "exchange", **given)
    assert told == [
        f"{name(order, 'mug')}: 1 to come back.",
        f"lamp ({lamp.title}): 1 added, $30.00.",
        "Items: $54.00 → $84.00.",
        "Tax: $10.00 → $15.00.",
        "Total with tax: $60.00 → $90.00.",
        "Less what comes back: $0.00 → $12.00.",
        "$18.00 is then due.",
        "It stays due: have it paid by link, or mark it as paid, on the order's page.",
    ]
    assert message == "Exchanged: $18.00 due."
    assert outcome(order) == (
        *("90.00", "18.00", "partially_captured", "partially_delivered", version + 1),
        [("60.00", "completed"), ("18.00", "not_paid")],
    )
    assert reserved(order) == {"lamp": 1, "mug": 0, "tee": 0}
    change, returned = OrderChange.objects.get(), Return.objects.get()
    assert (change.kind, change.display_id, change.status, change.confirmed_by) == ("exchange", 1, "confirmed", user.pk)
    [item] = returned.items.all()
    assert (returned.change, returned.status, item.quantity, item.reason) == (change, "requested", 1, small)
    assert history(order) == [(user.email, message)]
    assert Mail.objects.filter(kind="order_changed", about=change.pk).count() == 1
    address = f"/admin/orders/order/{order.pk}/change/"
    client.get(address)  # with the message
    shown = text_of(client.get(address))
    for part in (
        "Exchange 1 begun: By phone",
        f"Exchange 1 confirmed: 1 {name(order, 'mug')} to come back, +1 lamp. The order's value changed from $60.00 to",
        "Return 1RequestedExchange 1",
        f"lamp{lamp.title}Exchange 1",
    ):
        assert part in shown, part
    assert message not in shown


def test_a_tee_is_exchanged_for_a_mug_and_the_rest_refunded_at_once() -> None:
    """Case 40."""
    client, user = desk()
    order, blue = delivered_a(), goods("blue", 10)
    given = {units(order, "tee"): "1", "variant_2": blue.pk, "settlement": "refund", "notify": None}
    told, message = edited(client, order, "exchange", **given)
    assert told == [
        f"{name(order, 'tee')}: 1 to come back.",
        f"blue ({blue.title}): 1 added, $12.00.",
        "Items: $54.00 → $66.00.",
        "Tax: $10.00 → $12.00.",
        "Total with tax: $60.00 → $72.00.",
        "Less what comes back: $0.00 → $30.00.",
        "$18.00 is then owed to the customer.",
        "It is refunded to where it was paid from.",
    ]
    assert message == "Exchanged: $18.00 owed to the customer. $18.00 is being refunded."
    work()
    assert outcome(order)[:3] == ("72.00", "0.00", "partially_refunded")
    refund = GrantedRefund.objects.get()
    assert (refund.amount, refund.allowance, refund.no_notification, refund.created_by) == (18, 0, True, user.pk)
    assert not Mail.objects.filter(kind="order_changed")
