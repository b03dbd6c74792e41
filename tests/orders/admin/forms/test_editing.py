"""Editing a placed order in one form: previewed, settled and confirmed. The numbers are cases of order-changes.md."""

from typing import Any

import pytest
from django.test import Client

from giftcards.models import StoreCreditAccount
from kit.domain.actor import SYSTEM
from kit.messages.mails.models import Mail
from orders.admin.actions import ACTIONS, action_url
from orders.changes import items, lifecycle
from orders.changes.added_lines import NewItem
from orders.changes.editing import edit
from orders.changes.items import LineChange
from orders.fulfillments import delivery
from orders.managing import completion
from orders.models import GrantedRefund, Order, OrderChange
from tests.factories.customers import CustomerFactory
from tests.factories.fulfillment import option
from tests.factories.giftcards import store_credit
from tests.factories.staff import UserFactory
from tests.kit.admin.forms import Values, changed, filled_in
from tests.orders.admin.forms.desk import desk, filled, history, page, send, text_of
from tests.orders.changes.shop import goods, line, order_a, outcome, reserved
from tests.orders.fulfillments.shop import pack
from tests.orders.managing.shop import staff, work

pytestmark = [pytest.mark.once, pytest.mark.django_db(transaction=True)]


def units(order: Order, title: str) -> str:
    """The name of the field for the line's quantity."""
    return f"quantity_{line(order, title).pk}"


def previewed(client: Client, order: Order, values: Values, name: str = "edit", about: str = "") -> tuple[Any, Values]:
    """Send the form once: what it then says that it will do, and the form as it would be sent again."""
    before = outcome(order)
    answer = client.post(action_url(order.pk, name, about), values)
    assert answer.status_code == 200, answer["Location"]
    form = answer.context["form"]
    assert form.errors == {}
    assert outcome(order) == before
    return list(form.effects()), filled_in(answer)


def edited(client: Client, order: Order, **values: Any) -> tuple[list[str], str]:
    """Preview and confirm: the effects that were shown, and the message."""
    told, form = previewed(client, order, changed(filled(client, order, "edit"), **values))
    return told, send(client, order, "edit", "", form)


def refusals(client: Client, order: Order, **values: Any) -> dict[str, list[str]]:
    """The errors by field, as the preview shows them; "" stands above the form."""
    form = changed(filled(client, order, "edit"), **values)
    answer = client.post(action_url(order.pk, "edit"), form)
    assert answer.status_code == 200
    found = answer.context["form"].errors
    return {"" if name == "__all__" else name: [str(each) for each in errors] for name, errors in found.items()}


def by(*permissions: str) -> Client:
    client = Client()
    client.force_login(UserFactory(permissions=permissions))
    return client


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
        "Items: $54.00 → $72.00.",
        "Shipping: $6.00 → $9.00.",
        "Tax: $10.00 → $13.50.",
        "Total with tax: $60.00 → $81.00.",
        "$21.00 is then due.",
        "It stays due: have it paid by link, or mark it as paid, on the order's page.",
    ]
    assert outcome(order)[:2] == ("81.00", "21.00")


def test_who_may_not_set_prices_sees_no_field_of_them() -> None:
    order = order_a()
    option(4)
    client = by("orders.view_order", "orders.add_orderchange", "catalog.view_productvariant")
    form = filled(client, order, "edit")
    assert [name for name in form if "price" in name or name in ("custom_amount", "settlement")] == []
    given = {f"price_{line(order, 'tee').pk}": "1", "new_price_1": "1", "variant_1": goods("scarf", 15).pk}
    told, _ = previewed(client, order, changed(form, **given))
    assert told[-3] == "Total with tax: $60.00 → $78.00."


def test_a_changed_value_is_shown_before_anything_is_done() -> None:
    client, _ = desk()
    order = order_a()
    mugs = units(order, "mug")
    first, form = previewed(client, order, filled(client, order, "edit", **{mugs: "1"}))
    second, form = previewed(client, order, changed(form, **{mugs: "3"}))
    assert (first[-3], second[-3]) == ("Total with tax: $60.00 → $48.00.", "Total with tax: $60.00 → $72.00.")
    send(client, order, "edit", "", form)
    assert outcome(order)[:2] == ("72.00", "12.00")


def test_a_form_that_is_sent_twice_edits_once() -> None:
    client, user = desk()
    order = order_a()
    _, form = previewed(client, order, filled(client, order, "edit", **{units(order, "mug"): "1"}))
    for _ in range(2):
        assert send(client, order, "edit", "", form) == "Edited: the total was $60.00, and is $48.00."
    assert outcome(order)[4] == 2
    assert [entry for entry, _ in history(order)] == [user.email]
    other = client.post(action_url(order.pk, "edit"), changed(form, **{units(order, "mug"): "2"}))
    assert "This form has already been submitted with other values." in text_of(other)


def test_a_form_about_an_earlier_state_changes_nothing() -> None:
    client, _ = desk()
    order = order_a()
    _, form = previewed(client, order, filled(client, order, "edit", **{units(order, "mug"): "1"}))
    edit(actor=SYSTEM, order_id=order.pk, changed_items=[LineChange(line(order, "tee").pk, 2, None, {})])
    answer = client.post(action_url(order.pk, "edit"), form)
    assert "Nothing was done: this order was changed" in text_of(answer)
    assert outcome(order)[:2] == ("90.00", "30.00")
    told, form = previewed(client, order, filled_in(answer))  # 2 tees are there by now, the form still says 1
    assert "Total with tax: $90.00 → $48.00." in told
    send(client, order, "edit", "", form)
    assert outcome(order)[:2] == ("48.00", "-12.00")


def test_refusals_stand_at_their_fields() -> None:
    """Cases 12, 13, 15, 29 and 31."""
    client, _ = desk()
    order, scarf = order_a(), goods("scarf", 15, in_stock=3)
    pack(order, 1)
    mugs, tees = units(order, "mug"), units(order, "tee")
    too_few = "At least 1: so many are packed. What was shipped comes back by a return."
    assert refusals(client, order, **{mugs: "0"}) == {mugs: [too_few]}
    assert f"price_{line(order, 'mug').pk}" not in filled(client, order, "edit")
    for text in ("-1", "1.5", "", "x"):
        assert list(refusals(client, order, **{tees: text})) == [tees]
    for text in ("-0.01", "10.0011"):
        assert list(refusals(client, order, variant_1=scarf.pk, new_price_1=text)) == ["new_price_1"]
    assert refusals(client, order, new_price_1="3") == {"variant_1": ["Choose the item that the price is for."]}
    for text in ("variant_none", "x\x00"):
        assert list(refusals(client, order, variant_1=text)) == ["variant_1"]
    assert list(refusals(client, order, variant_1=scarf.pk, new_quantity_1="0")) == ["new_quantity_1"]
    out_of_stock = f"Not enough stock available for scarf ({scarf.title})"
    assert refusals(client, order, variant_1=scarf.pk, new_quantity_1="5") == {"": [out_of_stock]}
    assert refusals(client, order) == {"": ["The change has no actions to confirm"]}
    assert outcome(order)[4] == 2
    assert OrderChange.objects.count() == 0


def test_a_full_form_offers_a_further_item() -> None:
    client, _ = desk()
    order, scarf, lamp = order_a(), goods("scarf", 15), goods("lamp", 25)
    form = filled(client, order, "edit", variant_1=scarf.pk, variant_2=lamp.pk)
    assert "variant_3" not in form
    _, form = previewed(client, order, form)
    told, form = previewed(client, order, changed(form, variant_3=scarf.pk))
    assert "Total with tax: $60.00 → $126.00." in told
    assert "variant_4" in form


def test_closed_orders_are_not_offered_the_form() -> None:
    """Cases 13 and 30."""
    client, _ = desk()
    order = order_a()
    for packed in ((2, 0), (0, 1)):
        delivery.deliver(actor=SYSTEM, fulfillment_id=pack(order, *packed).pk)
    told, _ = previewed(client, order, filled(client, order, "edit", variant_1=goods("scarf", 15).pk))
    assert "Total with tax: $60.00 → $78.00." in told
    form = filled(client, order, "edit")
    completion.complete(actor=staff(), order_id=order.pk, note="Done")
    assert client.get(action_url(order.pk, "edit")).status_code == 302
    assert "Nothing was done" in text_of(client.post(action_url(order.pk, "edit"), form))


class TestAnEditThatAProgramHasBegun:
    def begun(self, **given: Any) -> tuple[Order, str]:
        """A scarf is added to the order: 78.00 instead of 60.00."""
        order = order_a(**given)
        change_id = lifecycle.begin(actor=SYSTEM, order_id=order.pk, description="Wants a scarf")
        items.add(actor=SYSTEM, order_id=order.pk, items=[NewItem(goods("scarf", 15).pk, 1)])
        return order, change_id

    def test_is_shown_and_confirmed(self) -> None:
        client, user = desk()
        order, change_id = self.begun()
        shown = text_of(client.get(f"/admin/orders/order/{order.pk}/change/"))
        assert ("Confirm edit" in shown, "Cancel edit" in shown, "Edit order" in shown) == (True, True, False)
        assert client.get(action_url(order.pk, "edit")).status_code == 302
        text = page(client, order, "confirm-edit", change_id)
        for part in ("Wants a scarf", "+1 scarf", "Total with tax: $60.00 → $78.00.", "$18.00 is then due."):
            assert part in text
        form = filled(client, order, "confirm-edit", change_id)
        for _ in range(2):
            message = send(client, order, "confirm-edit", change_id, form)
            assert message == "Edited: the total was $60.00, and is $78.00."
        assert outcome(order)[:2] == ("78.00", "18.00")
        assert OrderChange.objects.get().confirmed_by == user.pk
        assert Mail.objects.filter(kind="order_changed").count() == 1

    def test_is_shown_again_if_it_has_changed(self) -> None:
        client, _ = desk()
        order, change_id = self.begun()
        form = filled(client, order, "confirm-edit", change_id)
        items.change_line(actor=SYSTEM, order_id=order.pk, line_id=line(order, "mug").pk, quantity=1)
        told, form = previewed(client, order, form, "confirm-edit", change_id)
        assert "Total with tax: $60.00 → $66.00." in told
        send(client, order, "confirm-edit", change_id, form)
        assert outcome(order)[:2] == ("66.00", "6.00")

    def test_says_why_it_cannot_be_confirmed(self) -> None:
        client, _ = desk()
        order = order_a()
        change_id = lifecycle.begin(actor=SYSTEM, order_id=order.pk)
        items.change_line(actor=SYSTEM, order_id=order.pk, line_id=line(order, "mug").pk, quantity=1)
        form = filled(client, order, "confirm-edit", change_id)
        pack(order, 2)
        text = page(client, order, "confirm-edit", change_id)
        name = f"mug ({line(order, 'mug').variant_title})"
        assert f"It cannot be confirmed: Quantity of item {name} must be at least 2: 2 units are fulfilled." in text
        answer = client.post(action_url(order.pk, "confirm-edit", change_id), form)
        assert "Nothing was done: this order was changed" in text_of(answer)
        answer = client.post(action_url(order.pk, "confirm-edit", change_id), filled_in(answer))
        answer = client.post(action_url(order.pk, "confirm-edit", change_id), filled_in(answer))
        assert "must be at least 2: 2 units are fulfilled" in text_of(answer)
        assert OrderChange.objects.get().status == "pending"

    def test_is_canceled(self) -> None:
        client, user = desk()
        order, change_id = self.begun()
        assert "Nothing of the order changes." in page(client, order, "cancel-edit", change_id)
        assert send(client, order, "cancel-edit", change_id, filled(client, order, "cancel-edit", change_id)) == (
            "Edit canceled."
        )
        change = OrderChange.objects.get()
        assert (change.status, change.canceled_by) == ("canceled", user.pk)
        assert outcome(order)[:2] == ("60.00", "0.00")
        for name in ("confirm-edit", "cancel-edit"):
            assert client.get(action_url(order.pk, name, change_id)).status_code == 302

    def test_belongs_to_its_order(self) -> None:
        client, _ = desk()
        _, change_id = self.begun()
        other = order_a()
        for name in ("confirm-edit", "cancel-edit"):
            for about in (change_id, "ordch_none", "x\x00", ""):
                address = action_url(other.pk, name, about)
                assert client.get(address).status_code == client.post(address, {}).status_code == 404


def test_the_forms_take_the_permission_of_the_routes() -> None:
    assert {ACTIONS[name].permissions for name in ("edit", "confirm-edit", "cancel-edit")} == {
        ("orders.add_orderchange",)
    }
