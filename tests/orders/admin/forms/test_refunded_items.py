"""The refund form with units of lines: it shows what they cost and what becomes of them, then does it once."""

from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client

from kit.messages.mails.models import Mail
from orders.admin.actions import action_url
from orders.admin.forms import submission
from orders.admin.forms.action_form import BUSY
from orders.changes import lifecycle
from orders.models import GrantedRefund, Order, OrderChange, Return
from orders.refunds import creation
from tests.kit.admin.forms import Values, changed
from tests.orders.admin.forms.desk import act, desk, filled, history, page, send
from tests.orders.admin.forms.edits import by, previewed
from tests.orders.changes.shop import goods, line, order_a, outcome
from tests.orders.fulfillments.shop import STAFF, lines, pack
from tests.orders.item_refunds.shop import deliver, left, order_b, reason
from tests.orders.refunds.shop import payment_of
from tests.orders.returns.shop import paid, receive, request

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def named(order: Order, title: str = "bag", /, **units: Any) -> dict[str, Any]:
    """The names of the line's fields."""
    return {f"{name}_{line(order, title).pk}": value for name, value in units.items()}


def asked(client: Client, order: Order, **values: Any) -> tuple[list[str], Values]:
    """What the form says that it will do, which leaves nothing, and the form as it would be sent again."""
    given = {"refund_reason_id": reason(), **values}
    return previewed(client, order, changed(filled(client, order, "refund"), **given), "refund")


def errors(client: Client, order: Order, **values: Any) -> dict[str, list[str]]:
    entered = changed(filled(client, order, "refund"), **{"refund_reason_id": reason(), **values})
    form = client.post(action_url(order.pk, "refund"), entered).context["form"]
    return {name: [str(each) for each in found] for name, found in form.errors.items()}


def test_one_bag_that_is_not_packed() -> None:
    client, user = desk()
    order = order_b()
    assert "bag 3 of 3 not packed" in page(client, order, "refund")
    told, form = asked(client, order, **named(order, unpacked="1"))
    assert told == ["bag: 3 → 2, $35.70 → $23.80.", "The units cost $11.90.", "$11.90 is refunded."]
    assert form["amount"] == [""]
    message = "Refund of $11.90 (Arrived damaged): $11.90 by System default. 1 unit taken off the order."
    for _ in range(2):
        assert send(client, order, "refund", "", form) == message
    assert left(order)[:4] == ("58.69", "0.00", "partially_refunded", "11.90")
    assert left(order).reserved == {"bag": 2, "box": 1}
    assert history(order) == [(user.email, message)]
    assert GrantedRefund.objects.count() == 1


@pytest.mark.parametrize(("restock", "stock", "said"), [("on", 8, "restocked"), (None, 7, "not restocked")])
def test_one_delivered_bag(restock: str | None, stock: int, said: str) -> None:
    client, _ = desk()
    order = order_b()
    deliver(order, 3, 1)
    told, form = asked(client, order, refund_reason_id="", **named(order, returned="1", restock=restock))
    assert told[0] == f"bag: 1 returned, {said}, $35.70 → $23.80."
    assert send(client, order, "refund", "", form).endswith("$11.90 by System default. 1 unit returned.")
    assert left(order)[:4] == ("58.69", "0.00", "partially_refunded", "11.90")
    assert left(order).stock == [stock, 9]


def test_a_lower_amount_is_asked_about_again_and_the_rest_stays_owed() -> None:
    client, _ = desk()
    order = order_b()
    _, form = asked(client, order, **named(order, unpacked="1"))
    told, form = previewed(client, order, changed(form, amount="10"), "refund")
    assert told[1:] == ["The units cost $11.90.", "$10.00 is refunded.", "$1.90 stays owed to the customer."]
    send(client, order, "refund", "", form)
    assert left(order)[1:4] == ("-1.90", "partially_refunded", "10.00")


def test_an_amount_that_was_owed_before_is_not_that_of_the_units() -> None:
    """11.90 is owed for a bag that came back: the form has filled that in, or it is typed."""
    client, _ = desk()
    order = order_b()
    deliver(order, 3)
    receive(request(order, 1), 1)
    assert filled(client, order, "refund")["amount"] == ["11.90"]
    told, form = asked(client, order, **named(order, returned="1"))
    assert told[1:] == ["The units cost $11.90.", "$11.90 is refunded.", "$11.90 stays owed to the customer."]
    _, form = asked(client, order, return_id="", **named(order, returned="2"))
    told, form = previewed(client, order, changed(form, amount="11.90"), "refund")
    assert told[1:] == ["The units cost $23.80.", "$11.90 is refunded.", "$23.80 stays owed to the customer."]
    act(client, order, "refund")
    chosen = {"return_id": order.returns.get().pk, **named(order, returned="1")}
    assert errors(client, order, **chosen) == {
        "return_id": ["Leave it empty: units that come back now are a return of their own."]
    }


def test_more_than_the_units_cost_is_said_to_be_an_allowance() -> None:
    client, _ = desk()
    order = order_b()
    told, _ = asked(client, order, amount="15", **named(order, unpacked="1"))
    assert told[-1] == "$3.10 of it is an allowance: it is not owed to the customer."
    assert "at most 70.59 usd" in errors(client, order, amount="70.60", **named(order, unpacked="1"))["amount"][0]


def test_what_is_not_captured_yet_is_not_refunded() -> None:
    """20.00 of 60.00 is captured."""
    client, _ = desk()
    order = order_a(captured=False)
    assert client.get(action_url(order.pk, "refund")).status_code == 302  # nothing was captured: edit the order
    act(client, order, "capture", payment_of(order).pk, amount="20")
    told, form = asked(client, order, **named(order, "mug", unpacked="1"))
    assert told == [
        f"{line(order, 'mug').product_title} ({line(order, 'mug').variant_title}): 2 → 1, $24.00 → $12.00.",
        "The units cost $12.00.",
        "Nothing is refunded.",
        "$28.00 is then still to be captured, or to be paid.",
    ]
    assert send(client, order, "refund", "", form) == "Refunded nothing. 1 unit taken off the order."
    assert outcome(order)[:3] == ("48.00", "28.00", "partially_captured")


def test_units_that_cannot_be_refunded_are_refused_at_their_field() -> None:
    client, _ = desk()
    order = order_b()
    deliver(order, 1)
    pack(order, 1)
    text = page(client, order, "refund")
    assert "bag 1 of 3 not packed, 1 of 3 can be returned" in text
    for name in ("unpacked", "returned"):
        field = named(order, **{name: "2"})
        assert errors(client, order, **field) == {next(iter(field)): ["Only 1 can be refunded."]}
    assert "Enter a number." in str(errors(client, order, **named(order, unpacked="x")))
    assert errors(client, order) == {"amount": ["This field is required."]}
    both = {**named(order, unpacked="1"), "refund_reason_id": ""}
    assert errors(client, order, **both) == {"refund_reason_id": ["Choose a reason."]}
    whole = order_b()
    everything = {**named(whole, unpacked="3"), **named(whole, "box", unpacked="1")}
    assert "cancel it instead" in str(errors(client, whole, **everything)["__all__"])


def test_an_open_edit_leaves_the_delivered_units() -> None:
    client, _ = desk()
    order = order_b()
    deliver(order, 1)
    lifecycle.begin(actor=STAFF, order_id=order.pk)
    text = page(client, order, "refund")
    assert "Units that are not packed cannot be refunded while the edit is open." in text
    assert "bag 1 of 3 can be returned" in text
    assert not named(order, unpacked="").keys() & filled(client, order, "refund").keys()


def test_what_staff_may_not_do_is_not_offered() -> None:
    order = order_b()
    deliver(order, 1)
    every = named(order, unpacked="", returned="").keys()
    of_lower, of_return = sorted(every, reverse=True)
    common = ("orders.view_order", "payments.add_refund")
    for more, offered in (
        ((), set()),
        (("orders.add_orderchange",), {of_lower}),
        (("orders.add_return",), set()),
        (("orders.add_return", "orders.change_return"), {of_return}),
    ):
        assert every & filled(by(*common, *more), order, "refund").keys() == offered


def test_another_refund_between_preview_and_confirmation_is_seen() -> None:
    (ann, first), (bob, _) = desk(), desk()
    order = order_b()
    _, early = asked(bob, order, **named(order, unpacked="1"))
    _, form = asked(ann, order, **named(order, unpacked="2"))
    send(ann, order, "refund", "", form)
    answer = bob.post(action_url(order.pk, "refund"), early)
    [error] = answer.context["form"].non_field_errors()
    assert f"changed by {first.email}" in error
    assert (line(order, "bag").quantity, OrderChange.objects.count()) == (1, 1)


def test_a_form_whose_request_was_interrupted_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    client, _ = desk()
    order = order_b()
    _, form = asked(client, order, **named(order, unpacked="1"))
    call = creation.call_providers
    monkeypatch.setattr("orders.exchanges.refunds_by_item.call_providers", _killed)
    with pytest.raises(KeyboardInterrupt):
        client.post(action_url(order.pk, "refund"), form)
    monkeypatch.setattr("orders.exchanges.refunds_by_item.call_providers", call)
    assert send(client, order, "refund", "", form).startswith("Refund of $11.90")
    assert (GrantedRefund.objects.count(), line(order, "bag").quantity) == (1, 2)


def _killed(refund_id: str) -> None:
    raise KeyboardInterrupt


def test_so_is_one_whose_line_has_left_the_order(monkeypatch: pytest.MonkeyPatch) -> None:
    client, _ = desk()
    order = order_b()
    _, form = asked(client, order, **named(order, unpacked="3"))
    with monkeypatch.context() as patch:
        patch.setattr("orders.exchanges.refunds_by_item.call_providers", _killed)
        with pytest.raises(KeyboardInterrupt):
            client.post(action_url(order.pk, "refund"), form)
    for _ in range(2):
        assert send(client, order, "refund", "", form) == (
            "Refund of $35.70 (Arrived damaged): $35.70 by System default."
        )
    assert (GrantedRefund.objects.count(), left(order)[:4]) == (1, ("34.89", "0.00", "partially_refunded", "35.70"))


def test_so_is_one_that_meets_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """A double click: the first request refunds while the second looks at what it would do."""
    client, _ = desk()
    order = order_b()
    _, form = asked(client, order, **named(order, unpacked="3"))
    check, told = submission._check, list[str]()

    def check_after_the_other(*given: Any) -> None:
        monkeypatch.setattr(submission, "_check", check)
        told.append(send(client, order, "refund", "", form))
        check(*given)

    monkeypatch.setattr(submission, "_check", check_after_the_other)
    told.append(send(client, order, "refund", "", form))
    message = "Refund of $35.70 (Arrived damaged): $35.70 by System default. 3 units taken off the order."
    assert (told, GrantedRefund.objects.count()) == ([message] * 2, 1)


def test_an_order_that_another_request_holds_is_said_to_be_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    client, _ = desk()
    order = order_b()

    def wait_in_vain(order_id: str) -> Order:
        error = OperationalError("canceling statement due to lock timeout")
        error.__cause__ = type("LockNotAvailable", (Exception,), {"sqlstate": "55P03"})()
        raise error

    monkeypatch.setattr("orders.exchanges.refunds_by_item.lock_order", wait_in_vain)
    assert errors(client, order, **named(order, unpacked="1")) == {"__all__": [BUSY]}


@pytest.mark.parametrize("is_told", [True, False])
def test_the_customer_gets_an_email_unless_staff_say_otherwise(is_told: bool) -> None:
    client, _ = desk()
    order = order_b()
    deliver(order, 1)
    Mail.objects.all().delete()
    _, form = asked(client, order, **named(order, unpacked="1", returned="1"))
    assert form["notify"] == ["on"]
    send(client, order, "refund", "", form if is_told else changed(form, notify=None))
    kinds = set(Mail.objects.values_list("kind", flat=True))
    told = {"order_changed", "return_received", "order_refunded"}
    assert kinds == told if is_told else not kinds & {"order_changed", "return_received", "return_requested"}


def test_cards_are_not_refunded_by_item() -> None:
    client, _ = desk()
    order = order_b()
    card = lines(order)[0]
    type(card).objects.filter(pk=card.pk).update(is_giftcard=True)
    assert "bag 3 of 3" not in page(client, order, "refund")
    assert not Return.objects.exists()


def test_units_of_two_locations_are_restocked_where_staff_say() -> None:
    """A refund of an amount asks for none."""
    client, _ = desk()
    order = paid((goods("cup", 10), 2), (goods("jug", 20), 1))
    for units in ((2, 0), (0, 1)):
        deliver(order, *units)
    first, second = named(order, "cup", returned="1"), named(order, "jug", returned="1")
    told = errors(client, order, **first, **second)
    assert told.keys() == {"location_id"}
    assert told["location_id"][0].endswith("is required: the received items were shipped from several locations")
    assert asked(client, order, **first)[0][-1] == "$10.00 is refunded."
    assert act(client, order, "refund", refund_reason_id=reason(), amount="5").startswith("Refund of $5.00")
