"""The forms that capture a payment and refund an order."""

from decimal import Decimal
from typing import Any

import pytest

from giftcards.verification.verification import discrepancies
from kit.domain.actor import SYSTEM
from kit.safety.idempotency.mentions import erase_responses
from kit.safety.idempotency.models import Record
from orders.admin.actions import action_url
from orders.admin.forms import submission
from orders.models import GrantedRefund, Order
from orders.refunds import creation
from payments.models import Capture, Payment
from payments.movements import capturing
from payments.providers.base import Declined
from payments.states import Act
from tests.factories.checkout import ready_cart
from tests.factories.customers import CustomerFactory
from tests.kit.admin.forms import confirmed
from tests.orders.admin.forms.desk import act, changed, desk, filled, history, page, refusal, refused, send, text_of
from tests.orders.completing import order_of
from tests.orders.managing.shop import statuses
from tests.orders.refunds.conftest import fake  # noqa: F401  # a fixture
from tests.orders.refunds.shop import paid_order, parts, payment_of, reason
from tests.orders.refunds.test_bought_cards import gift_order
from tests.orders.returns.shop import delivered, paid, receive, request
from tests.payments.providers import FAKE, FakeProvider

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def test_the_amount_due_is_captured_once() -> None:
    client, user = desk()
    order = paid(captured=False)
    payment = payment_of(order)
    text = page(client, order, "capture", payment.pk)
    assert "System default holds $55.00, and $55.00 is due." in text
    form = filled(client, order, "capture", payment.pk)
    assert form["amount"] == ["55.00"]
    for _ in range(2):
        assert send(client, order, "capture", payment.pk, form) == "Captured $55.00."
    assert list(Capture.objects.values_list("amount", "created_by")) == [(Decimal(55), user.pk)]
    assert statuses(order)[1] == "captured"
    assert history(order) == [(user.email, "Captured $55.00.")]


def test_a_part_is_captured_and_too_much_refused() -> None:
    client, _ = desk()
    order = paid(captured=False)
    payment = payment_of(order)
    assert act(client, order, "capture", payment.pk, amount="20") == "Captured $20.00."
    for amount, error in (
        ("0", "greater than or equal to 0.0001"),
        ("none", "Enter a number."),
        ("35.01", "at most $35.00."),
    ):
        assert error in refused(client, order, "capture", payment.pk, amount=amount)[0]
    assert act(client, order, "capture", payment.pk) == "Captured $35.00."
    assert Payment.objects.get().captured_amount == 55


def test_of_two_captures_at_the_same_moment_the_second_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other one is committed after this one was checked, and before it has the payment's lock."""
    client, _ = desk()
    order = paid(captured=False)
    payment = payment_of(order)
    form = filled(client, order, "capture", payment.pk, amount="20")
    check = submission._check

    def check_and_let_the_other_capture(*given: Any) -> None:
        check(*given)
        capturing.capture(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(20))

    monkeypatch.setattr(submission, "_check", check_and_let_the_other_capture)
    text = text_of(client.post(action_url(order.pk, "capture", payment.pk), form))
    assert "Nothing was done: this order was changed" in text
    assert Payment.objects.get().captured_amount == 20


def test_a_refused_capture_can_be_sent_again(fake: FakeProvider) -> None:  # noqa: F811
    client, _ = desk()
    order = order_of(ready_cart(provider_id=FAKE))
    payment = payment_of(order)
    fake.says(Act.CAPTURE, Declined("No funds"))
    form = filled(client, order, "capture", payment.pk)
    response = client.post(action_url(order.pk, "capture", payment.pk), form)
    shown = response.context["form"]
    assert shown.non_field_errors() == ["The payment provider refused: No funds"]
    again = changed(form, ticket=shown["ticket"].value())
    assert send(client, order, "capture", payment.pk, again) == "Captured $55.00."


def test_a_refund_proposes_what_is_owed() -> None:
    client, user = desk()
    order = delivered()
    receive(request(order, 2), 2)
    text = page(client, order, "refund")
    assert "$20.00 is owed to the customer. Anything refunded beyond that is an allowance." in text
    assert "The money goes back to where it was paid from: up to $55.00 by System default." in text
    form = filled(client, order, "refund", refund_reason_id=reason().pk, note="Too small")
    assert form["amount"] == ["20.00"]
    message = "Refund of $20.00 (Arrived damaged): $20.00 by System default."
    for _ in range(2):
        assert send(client, order, "refund", "", form) == message
    made = GrantedRefund.objects.get()
    assert (made.amount, made.allowance, made.note, made.created_by) == (20, 0, "Too small", user.pk)
    assert history(order) == [(user.email, message)]


def test_an_allowance_is_shown() -> None:
    client, _ = desk()
    order = paid()
    assert "Nothing is owed to the customer: the whole refund is an allowance." in page(client, order, "refund")
    form = filled(client, order, "refund", refund_reason_id=reason().pk)
    assert form["amount"] == [""]
    assert refusal(client, order, "refund", "", form) == ["This field is required."]
    message = act(client, order, "refund", refund_reason_id=reason().pk, amount="5")
    assert message.endswith("$5.00 by System default. Allowance: $5.00.")
    assert "Allowances so far: $5.00." in page(client, order, "refund")


def test_wrong_refunds_are_refused_at_their_field() -> None:
    client, _ = desk()
    order = paid()
    given = {"refund_reason_id": reason().pk, "amount": "5"}
    for changes, error in (
        ({"amount": "55.01"}, "Refund $55.01: the amount can be at most $55.00."),
        ({"amount": "5.0001"}, "has more than 2 decimals of usd"),
        ({"amount": "-5"}, "greater than or equal to"),
        ({"refund_reason_id": ""}, "Choose a reason."),
        ({"refund_reason_id": "refr_none"}, "Select a valid choice."),
        ({"refund_reason_id": "refr\x00"}, "Select a valid choice."),
        ({"target": "credit"}, "Select a valid choice."),
    ):
        values = filled(client, order, "refund", **given)
        given_now = confirmed(client, action_url(order.pk, "refund"), changed(values, **changes))
        response = client.post(action_url(order.pk, "refund"), given_now)
        (field,) = response.context["form"].errors
        assert field == next(iter(changes))
        assert error in str(response.context["form"].errors[field])
    assert not GrantedRefund.objects.exists()


def test_a_refund_for_a_return_needs_no_reason() -> None:
    client, _ = desk()
    order = delivered()
    returned = request(order, 1)
    receive(returned, 1)
    assert filled(client, order, "refund")["return_id"] == [returned.pk]
    assert act(client, order, "refund") == "Refund of $10.00: $10.00 by System default."
    assert GrantedRefund.objects.get().return_id == returned.pk


def test_a_refund_of_card_credit_and_payment_shows_each_part(fake: FakeProvider) -> None:  # noqa: F811
    client, _ = desk()
    ann = CustomerFactory(email="ann@example.com", has_account=True)
    order = paid_order(credit=10, customer=ann)
    text = page(client, order, "refund")
    assert "up to $25.00 by Double test; then up to $10.00 to the customer's store credit." in text
    message = act(client, order, "refund", refund_reason_id=reason().pk, amount="30")
    parts_said = "$25.00 by Double test; $5.00 to the customer's store credit"
    assert message == f"Refund of $30.00 (Arrived damaged): {parts_said}. Allowance: $30.00."
    message = act(client, order, "refund", refund_reason_id=reason().pk, amount="5", target="credit")
    assert "$5.00 to the customer's store credit" in message
    assert GrantedRefund.objects.latest("pk").to_store_credit
    assert "ann@example.com" not in str(history(order))
    assert list(discrepancies()) == []


def test_a_part_that_a_provider_refuses_is_reported(fake: FakeProvider) -> None:  # noqa: F811
    client, _ = desk()
    order = paid_order()
    fake.says(Act.REFUND, Declined("Card expired"))
    form = filled(client, order, "refund", refund_reason_id=reason().pk, amount="5")
    response = client.post(action_url(order.pk, "refund"), form, follow=True)
    [message] = response.context["messages"]
    assert message.level_tag == "warning"
    assert "$5.00 by Double test (declined: Card expired)" in str(message)
    assert Order.objects.get().refunded_total == 0


def test_two_staff_refund_at_once() -> None:
    ann, bob = desk(), desk()
    order = delivered()
    receive(request(order, 2), 2)
    early = filled(bob[0], order, "refund", refund_reason_id=reason().pk)
    act(ann[0], order, "refund", refund_reason_id=reason().pk)
    response = bob[0].post(action_url(order.pk, "refund"), early)
    [error] = response.context["form"].non_field_errors()
    assert f"changed by {ann[1].email}" in error
    assert "Nothing is owed to the customer" in " ".join(response.context["form"].effects())
    assert len(parts(GrantedRefund.objects.get())) == 1


def test_a_form_whose_request_was_interrupted_is_sent_again(monkeypatch: Any) -> None:
    client, _ = desk()
    order = paid()
    form = filled(client, order, "refund", refund_reason_id=reason().pk, amount="55")
    create = creation.create

    def interrupted(**given: Any) -> str:
        create(**given)
        raise KeyboardInterrupt

    monkeypatch.setattr(creation, "create", interrupted)
    with pytest.raises(KeyboardInterrupt):
        client.post(action_url(order.pk, "refund"), form)
    monkeypatch.undo()
    assert send(client, order, "refund", "", form).startswith("Refund of $55.00")
    assert GrantedRefund.objects.count() == 1
    assert Order.objects.get().refunded_total == 55


def test_a_refund_between_the_check_and_the_lock_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both forms were checked before either had locked the order."""
    (ann, _), (bob, _) = desk(), desk()
    order = delivered()
    receive(request(order, 2), 2)
    early, late = (filled(each, order, "refund", refund_reason_id=reason().pk) for each in (ann, bob))
    check, checked = submission._check, []

    def check_and_let_the_other_go_first(*given: Any) -> None:
        check(*given)
        checked.append(given)
        if len(checked) == 1:
            send(ann, order, "refund", "", early)

    monkeypatch.setattr(submission, "_check", check_and_let_the_other_go_first)
    response = bob.post(action_url(order.pk, "refund"), late)
    [error] = response.context["form"].non_field_errors()
    assert "Nothing was done: this order was changed" in error
    assert (len(checked) > 1, GrantedRefund.objects.count()) == (True, 1)


def test_an_erasure_finds_the_stored_message_of_a_form() -> None:
    client, _ = desk()
    order = paid(captured=False)
    act(client, order, "capture", payment_of(order).pk)
    erase_responses(names={order.pk}, actors=())
    assert [bytes(record.body) for record in Record.objects.all()] == [b""]


def test_a_refund_repeats_the_amount_and_is_done_once_it_was_confirmed() -> None:
    """`3,40` was booked as 340.00."""
    client, _ = desk()
    order = paid()
    form = filled(client, order, "refund", refund_reason_id=reason().pk, amount="3,40")
    for values in (changed(form, confirmed=""), changed(form, confirmed="Refund $3.40"), changed(form, amount="34")):
        response = client.post(action_url(order.pk, "refund"), values)
        assert response.context["form"].errors == {}
        assert not GrantedRefund.objects.exists()
    assert "Refund $34.00 to where it was paid from? Nothing has been done yet." in text_of(response)
    assert send(client, order, "refund", "", form).startswith("Refund of $3.40")
    assert GrantedRefund.objects.get().amount == Decimal("3.40")


def test_another_target_is_asked_about_again(fake: FakeProvider) -> None:  # noqa: F811
    client, _ = desk()
    order = paid_order(customer=CustomerFactory(email="ann@example.com", has_account=True))
    form = filled(client, order, "refund", refund_reason_id=reason().pk, amount="5")
    response = client.post(action_url(order.pk, "refund"), changed(form, target="credit"))
    assert "Refund $5.00 to the store credit of ann@example.com?" in text_of(response)
    assert not GrantedRefund.objects.exists()


@pytest.mark.parametrize("left", ["3.40", "30"])
def test_an_amount_above_the_limit_is_refused_before_it_is_asked_about(left: str) -> None:
    client, _ = desk()
    order = paid()
    act(client, order, "refund", refund_reason_id=reason().pk, amount=str(55 - Decimal(left)))
    form = changed(filled(client, order, "refund"), refund_reason_id=reason().pk, amount="340", confirmed="")
    response = client.post(action_url(order.pk, "refund"), form)
    shown = response.context["form"]
    message = f"Refund $340.00: the amount can be at most ${Decimal(left):.2f}."
    assert (shown.question, shown.errors) == (None, {"amount": [message]})
    assert shown["amount"].value() == "340"
    assert "Nothing has been done yet" not in text_of(response)


def test_while_bought_cards_can_be_spent_only_all_or_what_the_rest_cost_is_asked_about() -> None:
    """The order is of a card of 50 alone."""
    client, _ = desk()
    order = gift_order()
    asked = changed(filled(client, order, "refund"), refund_reason_id=reason().pk)
    for amount, most in (("20", "0.00"), ("51", "50.00")):
        shown = client.post(action_url(order.pk, "refund"), changed(asked, amount=amount)).context["form"]
        message = f"Refund ${amount}.00: the amount can be at most ${most}."
        assert (shown.question, shown.errors) == (None, {"amount": [message]})
    response = client.post(action_url(order.pk, "refund"), changed(asked, amount="50"))
    assert "Refund $50.00 to where it was paid from?" in text_of(response)


def test_an_amount_that_can_be_two_is_refused_with_both() -> None:
    client, _ = desk()
    order = paid(captured=False)
    two = ["'3.400' can be 3.40 or 3400.00. Enter one of the two."]
    assert refused(client, order, "capture", payment_of(order).pk, amount="3.400") == two
    assert act(client, order, "capture", payment_of(order).pk, amount="3,40") == "Captured $3.40."
