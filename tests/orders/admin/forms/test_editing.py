"""Editing a placed order in one form: what changes, and how it is settled. Cases: tests/orders/changes/cases.py."""

import pytest

from carts.lines.lines import NewLineItem
from catalog.models import ProductVariant
from giftcards.models import StoreCreditAccount
from kit.domain.actor import SYSTEM
from kit.messages.mails.models import Mail
from orders.fulfillments import delivery
from orders.models import GrantedRefund, Order, OrderChange
from tests.factories.carts import PromotionFactory, selling_region
from tests.factories.checkout import ready_cart
from tests.factories.customers import CustomerFactory
from tests.factories.fulfillment import option
from tests.factories.giftcards import store_credit
from tests.kit.admin.forms import changed
from tests.orders.admin.forms.desk import desk, filled, history, send, text_of
from tests.orders.admin.forms.edits import edited, previewed, refusals, units
from tests.orders.changes.shop import goods, line, order_a, outcome, reserved
from tests.orders.completing import order_of
from tests.orders.fulfillments.shop import pack
from tests.orders.managing.shop import work
from tests.orders.returns.shop import request

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def test_an_item_is_added_and_the_rest_is_due() -> None:
    """Case 1."""
    client, user = desk()
    order, scarf = order_a(), goods("scarf", 15)
    told, message = edited(client, order, variant_1=scarf.pk, internal_note="By phone")
    assert told == [
        f"{line(order, 'scarf').title} ({scarf.title}): 1 added, $18.00.",
        "Items: $54.00 → $72.00.",
        "Tax: $10.00 → $13.00.",
        "Total with tax: $60.00 → $78.00.",
        "$18.00 is then due.",
        "It stays due: have it paid by link, or mark it as paid, on the order's page.",
    ]
    assert message == "Edited: the total was $60.00, and is $78.00."
    assert outcome(order) == (
        *("78.00", "18.00", "partially_captured", "not_fulfilled", 2),
        [("60.00", "completed"), ("18.00", "not_paid")],
    )
    assert reserved(order) == {"mug": 2, "scarf": 1, "tee": 1}
    change = OrderChange.objects.get()
    assert (change.status, change.created_by, change.confirmed_by) == ("confirmed", user.pk, user.pk)
    assert change.internal_note == "By phone"
    assert history(order) == [(user.email, message)]
    assert Mail.objects.filter(kind="order_changed", about=change.pk).count() == 1
    address = f"/admin/orders/order/{order.pk}/change/"
    client.get(address)  # with the message
    shown = text_of(client.get(address))
    assert "Edited: +1 scarf" in shown
    assert "The total changed from $60.00 to $78.00" in shown
    assert "Edit begun: By phone" in shown
    assert "the total was" not in shown


def test_units_are_taken_away_and_refunded_at_once() -> None:
    """Case 2."""
    client, user = desk()
    order = order_a()
    told, message = edited(client, order, **{units(order, "mug"): "1", "settlement": "refund", "notify": None})
    name = f"mug ({line(order, 'mug').variant_title})"
    assert told == [
        f"{name}: 2 → 1, $24.00 → $12.00.",
        "Items: $54.00 → $42.00.",
        "Tax: $10.00 → $8.00.",
        "Total with tax: $60.00 → $48.00.",
        "$12.00 is then owed to the customer.",
        "It is refunded to where it was paid from.",
    ]
    assert message == "Edited: the total was $60.00, and is $48.00. $12.00 is being refunded."
    work()
    assert outcome(order)[:4] == ("48.00", "0.00", "partially_refunded", "not_fulfilled")
    refund = GrantedRefund.objects.get()
    assert (refund.amount, refund.allowance, refund.no_notification, refund.created_by) == (12, 0, True, user.pk)
    assert reserved(order) == {"mug": 1, "tee": 1}
    assert not Mail.objects.filter(kind="order_changed")


def test_what_is_owed_can_wait_and_what_is_authorized_is_captured() -> None:
    """Cases 2 and 3."""
    client, _ = desk()
    order = order_a()
    told, message = edited(client, order, **{units(order, "mug"): "1"})
    assert told[-2:] == ["$12.00 is then owed to the customer.", "It stays owed: refund it on the order's page."]
    assert message == "Edited: the total was $60.00, and is $48.00."
    assert outcome(order)[:3] == ("48.00", "-12.00", "captured")
    other = order_a(captured=False)
    told, _ = edited(client, other, **{units(other, "mug"): "1", "settlement": "refund"})
    assert told[-1] == "$48.00 is then to capture; it is authorized."
    assert outcome(other)[:3] == ("48.00", "48.00", "authorized")
    assert GrantedRefund.objects.count() == 0


def test_an_item_is_exchanged_for_another_of_the_same_price() -> None:
    """Case 4."""
    client, _ = desk()
    order, lamp = order_a(), goods("lamp", 25)
    name = f"tee ({line(order, 'tee').variant_title})"
    told, _ = edited(client, order, **{units(order, "tee"): "0", "variant_2": lamp.pk})
    assert told == [
        f"lamp ({lamp.title}): 1 added, $30.00.",
        f"{name}: 1 → 0, $30.00 → $0.00.",
        "Total with tax: $60.00 → $60.00.",
        "Nothing is then due or owed.",
    ]
    assert outcome(order)[:3] == ("60.00", "0.00", "captured")
    assert reserved(order) == {"lamp": 1, "mug": 2, "tee": 0}


@pytest.mark.parametrize(("credit", "total", "pending", "left"), [(25, "60.00", "0.00", 7), (10, "68.00", "8.00", 0)])
def test_store_credit_pays_at_once_as_far_as_it_goes(credit: int, total: str, pending: str, left: int) -> None:
    """Cases 22 and 23."""
    client, _ = desk()
    ann = CustomerFactory(has_account=True)
    order, scarf = order_a(customer=ann), goods("scarf", 15)
    store_credit(ann, credit)
    taken = min(credit, 18)
    told, message = edited(client, order, variant_1=scarf.pk, settlement="credit")
    assert told[-2:] == ["$18.00 is then due.", f"${taken}.00 of it is taken from the store credit."]
    assert message == f"Edited: the total was $60.00, and is $78.00. Paid ${taken}.00 by store credit."
    assert outcome(order)[:2] == (total, pending)
    assert StoreCreditAccount.objects.get(customer=ann).balance == left


def test_prices_and_shipping_of_staff() -> None:
    client, _ = desk()
    order, scarf, way = order_a(), goods("scarf", 15), option(4, name="Courier")
    told, _ = edited(
        client,
        order,
        **{
            f"price_{line(order, 'tee').pk}": "20,00",
            "variant_1": scarf.pk,
            "new_quantity_1": "2",
            "new_price_1": "$10",
            "shipping_option_id": way.pk,
            "custom_amount": "2.50",
        },
    )
    tee = f"tee ({line(order, 'tee').variant_title})"
    assert told == [  # 20.00 x 1.2, 2 x 10.00 x 1.2, (5.00 + 2.50) x 1.2
        f"{tee}: 1 → 1, $30.00 → $24.00.",
        f"scarf ({scarf.title}): 2 added, $24.00.",
        "Courier: added, $3.00.",
        "Items: $54.00 → $72.00.",
        "Shipping: $6.00 → $9.00.",
        "Tax: $10.00 → $13.50.",
        "Total with tax: $60.00 → $81.00.",
        "$21.00 is then due.",
        "It stays due: have it paid by link, or mark it as paid, on the order's page.",
    ]
    assert outcome(order)[:2] == ("81.00", "21.00")


def reduced(mug: ProductVariant) -> Order:
    """3 mugs less 10 %, whose post is 5.00."""
    region = selling_region(tax_rate=20)
    return order_of(ready_cart(NewLineItem(mug.pk, 3), region_id=region.pk, promo_codes=["SAVE"]))


def test_promotions_are_kept_or_carried_over_to_added_items() -> None:
    """3 mugs at 10.00 less 10 %, post 5.00, 20 % on top: 38.40. A scarf at 15.00 is 18.00, or 16.20 less 10 %."""
    client, _ = desk()
    PromotionFactory(code="SAVE")
    mug, scarf = goods("mug", 10), goods("scarf", 15)
    order = reduced(mug)
    form = changed(filled(client, order, "edit"), variant_1=scarf.pk)
    kept, _ = previewed(client, order, form)
    carried, form = previewed(client, order, changed(form, carry_over_promotions="on"))
    assert [text for text in kept if text.startswith(("scarf", "Total"))] == [
        f"scarf ({scarf.title}): 1 added, $18.00.",
        "Total with tax: $38.40 → $56.40.",
    ]
    assert [text for text in carried if text.startswith(("scarf", "Discounts", "Total"))] == [
        f"scarf ({scarf.title}): 1 added, $16.20.",
        "Discounts: $3.60 → $5.40.",
        "Total with tax: $38.40 → $54.60.",
    ]
    send(client, order, "edit", "", form)
    assert outcome(order)[:3] == ("54.60", "54.60", "partially_authorized")


def test_promotions_are_not_carried_over_once_units_are_requested_back() -> None:
    """Case 15."""
    client, _ = desk()
    PromotionFactory(code="SAVE")
    mug, scarf = goods("mug", 10), goods("scarf", 15)
    order = reduced(mug)
    delivery.deliver(actor=SYSTEM, fulfillment_id=pack(order, 3).pk)
    request(order, 1)
    [(field, [error])] = refusals(client, order, variant_1=scarf.pk, carry_over_promotions="on").items()
    assert field == "carry_over_promotions"
    told = f"Applying promotions anew is not possible: units of mug ({mug.title}) were returned, or are requested back"
    assert error == told
