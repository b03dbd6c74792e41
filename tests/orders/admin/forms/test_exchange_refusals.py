"""What the forms of exchanges and claims refuse, and what they add besides goods."""

from decimal import Decimal

import pytest

from kit.domain.actor import SYSTEM
from orders.admin.actions import action_url
from orders.changes import lifecycle as edits
from orders.exchanges import lifecycle
from orders.fulfillments import shipping
from orders.managing import archiving, cancellation, completion
from orders.models import OrderChange, OrderShippingMethod, Return
from orders.states import ChangeKind
from tests.factories.fulfillment import option
from tests.kit.admin.forms import changed, filled_in
from tests.orders.admin.forms.desk import desk, filled, page, refusal, send, text_of
from tests.orders.admin.forms.edits import by, edited, previewed, refusals
from tests.orders.admin.forms.exchanges import delivered_a, name, units
from tests.orders.changes.shop import goods, order_a, outcome
from tests.orders.fulfillments.shop import STAFF, pack
from tests.orders.managing.shop import staff
from tests.orders.returns.shop import request

pytestmark = [pytest.mark.once, pytest.mark.django_db]
BACK = [("is_return", "eq", "true")]


def test_shipping_each_way_is_paid_by_the_customer() -> None:
    """Case 42, and a price of staff for what is sent."""
    client, _ = desk()
    order, blue = delivered_a(), goods("blue", 10)
    post, courier = option(3, name="Post", rules=BACK), option(4, name="Courier")
    given = {units(order, "mug"): "1", "variant_1": blue.pk, "inbound_option_id": post.pk}
    more = {"outbound_option_id": courier.pk, "outbound_amount": "2,50"}
    told, form = previewed(client, order, changed(filled(client, order, "exchange"), **given), "exchange")
    assert told[-3:-1] == ["Less what comes back: $0.00 → $12.00.", "$3.60 is then due."]
    told, form = previewed(client, order, changed(form, **more), "exchange")
    assert told == [  # 10.00 x 1.2, 3.00 x 1.2, 2.50 x 1.2
        f"{name(order, 'mug')}: 1 to come back.",
        f"blue ({blue.title}): 1 added, $12.00.",
        "Post: added, $3.60.",
        "Courier: added, $3.00.",
        "Items: $54.00 → $66.00.",
        "Shipping: $6.00 → $12.60.",
        "Tax: $10.00 → $13.10.",
        "Total with tax: $60.00 → $78.60.",
        "Less what comes back: $0.00 → $12.00.",
        "$6.60 is then due.",
        "It stays due: have it paid by link, or mark it as paid, on the order's page.",
    ]
    assert send(client, order, "exchange", "", form) == "Exchanged: $6.60 due."
    assert outcome(order)[:3] == ("78.60", "6.60", "partially_captured")
    methods = OrderShippingMethod.objects.filter(order=order, name__in=("Post", "Courier"))
    assert dict(methods.values_list("name", "of_return")) == {"Post": Return.objects.get().pk, "Courier": None}


def test_refusals_stand_at_their_fields() -> None:
    client, _ = desk()
    order, lamp = delivered_a(), goods("lamp", 25, in_stock=3)
    post, freight = option(3, name="Post", rules=BACK), option(None, name="Freight")
    mugs = units(order, "mug")
    enough = {mugs: "1", "variant_1": lamp.pk}
    for given, errors in (
        ({}, {"": ["Enter how many units to return."]}),
        ({mugs: "3"}, {mugs: ["Only 2 can still be returned."]}),
        ({mugs: "1"}, {"variant_1": ["Choose an item to send."]}),
        ({mugs: "1", "new_price_2": "3"}, {"variant_2": ["Choose the item that the price is for."]}),
        ({**enough, "inbound_amount": "3"}, {"inbound_option_id": ["Choose the shipping that the price is for."]}),
        ({**enough, "outbound_option_id": freight.pk}, {"outbound_amount": ["This option has no price: enter one."]}),
        ({**enough, "new_quantity_1": "5"}, {"": [f"Not enough stock available for lamp ({lamp.title})"]}),
    ):
        assert refusals(client, order, "exchange", **given) == errors
    for field, text in ((mugs, "-1"), (mugs, "x"), ("variant_1", "x\x00"), ("inbound_option_id", "so_none")):
        assert list(refusals(client, order, "exchange", **{**enough, field: text})) == [field]
    assert list(refusals(client, order, "exchange", **enough, outbound_option_id=post.pk)) == ["outbound_option_id"]
    assert OrderChange.objects.count() == 0


def test_what_differs_by_ids_alone_is_shown_before_anything_is_done() -> None:
    client, _ = desk()
    order, blue = delivered_a(), goods("blue", 10)
    given = {units(order, "mug"): "1", "variant_1": blue.pk}
    first, form = previewed(client, order, changed(filled(client, order, "exchange"), **given), "exchange")
    second, form = previewed(client, order, changed(form, **{units(order, "mug"): "2"}), "exchange")
    assert (first[0], second[0]) == (f"{name(order, 'mug')}: 1 to come back.", f"{name(order, 'mug')}: 2 to come back.")
    for _ in range(2):
        assert send(client, order, "exchange", "", form) == "Exchanged: $12.00 owed to the customer."
    assert OrderChange.objects.count() == 1


def test_a_form_about_an_earlier_state_changes_nothing() -> None:
    client, _ = desk()
    order, blue = delivered_a(), goods("blue", 10)
    given = {units(order, "mug"): "2", "variant_1": blue.pk}
    _, form = previewed(client, order, changed(filled(client, order, "exchange"), **given), "exchange")
    request(order, 1)
    answer = client.post(action_url(order.pk, "exchange"), form)
    assert "Nothing was done: this order was changed" in text_of(answer)
    assert refusal(client, order, "exchange", "", filled_in(answer)) == ["Only 1 can still be returned."]
    assert OrderChange.objects.count() == 0


@pytest.mark.parametrize(("kind", "begun"), [("edit", "An edit"), ("exchange", "An exchange")])
def test_a_form_names_the_change_that_a_program_has_begun_meanwhile(kind: str, begun: str) -> None:
    client, _ = desk()
    order = delivered_a()
    form = filled(client, order, "claim", **{units(order, "mug"): "1"})
    if kind == "edit":
        edits.begin(actor=SYSTEM, order_id=order.pk)
    else:
        lifecycle.begin(actor=SYSTEM, order_id=order.pk, kind=ChangeKind.EXCHANGE)
    told = f"{begun} of this order has been begun. Confirm or cancel that one first, on the order's page."
    assert refusal(client, order, "claim", "", form) == [told]


def test_completed_and_archived_orders_are_exchanged() -> None:
    """Case 30."""
    client, _ = desk()
    order, blue = delivered_a(), goods("blue", 10)
    completion.complete(actor=staff(), order_id=order.pk, note=None)
    archiving.archive(actor=staff(), order_id=order.pk)
    edited(client, order, "exchange", **{units(order, "mug"): "1", "variant_1": blue.pk})
    edited(client, order, "claim", **{units(order, "tee"): "1"})
    assert outcome(order)[:2] == ("72.00", "0.00")


def test_the_forms_are_offered_only_where_there_is_something_to_exchange_or_claim() -> None:
    """Case 30, too."""
    client, _ = desk()

    def offered(order: object) -> list[bool]:
        return [client.get(action_url(order.pk, form)).status_code == 200 for form in ("exchange", "claim")]

    new, sent, whole, canceled = order_a(), order_a(), delivered_a(), order_a()
    shipping.ship(actor=STAFF, fulfillment_id=pack(sent, 2).pk)
    cancellation.cancel(actor=staff(), order_id=canceled.pk)
    assert [offered(order) for order in (new, sent, whole, canceled)] == [
        [False, False],
        [False, True],
        [True, True],
        [False, False],
    ]
    for position, number in enumerate((2, 1)):
        request(whole, *[0] * position, number)
    assert offered(whole) == [False, False]


def test_who_may_not_set_prices_sees_no_field_of_them() -> None:
    order, blue = delivered_a(), goods("blue", 10)
    option(4, name="Courier")
    option(None, name="Freight")
    client = by(*("orders.view_order", "orders.add_orderchange", "orders.add_return", "catalog.view_productvariant"))
    text, form = page(client, order, "exchange"), filled(client, order, "exchange")
    assert ("Courier, $4.00" in text, "Freight" in text) == (True, False)
    assert [field for field in form if "price" in field or "amount" in field or field == "settlement"] == []
    given = {"new_price_1": "1", "variant_1": blue.pk, units(order, "mug"): "1"}
    told, _ = previewed(client, order, changed(form, **given), "exchange")
    assert told[-1] == "Nothing is then due or owed."
    assert client.get(action_url(order.pk, "exchange")).status_code == 200
    for lacking in ("orders.add_orderchange", "orders.add_return"):
        assert by("orders.view_order", lacking).get(action_url(order.pk, "exchange")).status_code == 403


def test_receiving_and_canceling_its_return_says_what_is_then_due() -> None:
    """Case 44."""
    client, _ = desk()
    order, blue = delivered_a(), goods("blue", 10)
    edited(client, order, "exchange", **{units(order, "mug"): "1", "variant_1": blue.pk})
    returned = Return.objects.get()
    text = page(client, order, "receive-return", returned.pk)
    assert "the units have counted as returned since their exchange or claim" in text
    assert "is owed" not in text
    assert "They count again at once: $12.00 is then due from the customer in all." in page(
        client, order, "cancel-return", returned.pk
    )
    send(client, order, "cancel-return", returned.pk, filled(client, order, "cancel-return", returned.pk))
    order.refresh_from_db()
    assert (order.agreed_return_total, outcome(order)[1]) == (Decimal(0), "12.00")
