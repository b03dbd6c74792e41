"""Transfers of orders: who may ask, who may answer, and who hears of it."""

from datetime import timedelta
from typing import Any

import pytest

from customers.models import Customer
from kit.domain.actor import Actor
from kit.errors import DomainError, Forbidden, InvalidData, NotAllowed
from kit.messages.mails.tokens import token_digest
from kit.values.timestamps import now
from orders.access.transfers import answering, cancellation, requesting
from orders.common import events as order_events
from orders.common.errors import OrderNotFound
from orders.mails.transfers import render_transfer_mail
from orders.managing import completion, details
from orders.models import Order, OrderTransfer
from orders.returns import creation as returns
from orders.states import OrderStatus
from tests.factories import carts as make
from tests.factories.customers import CustomerFactory
from tests.factories.shop import SalesChannelFactory
from tests.orders.managing.shop import staff
from tests.orders.outbox import mails
from tests.orders.placed import placed
from tests.orders.returns.shop import delivered, wanted

pytestmark = pytest.mark.django_db

INVALID = (NotAllowed, "Invalid token.")


@pytest.fixture
def events(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Name and resource of each event."""
    recorded: list[tuple[str, str]] = []
    record = order_events.record_event

    def note(name: str, *, about: str, **more: Any) -> None:
        record(name, about=about, **more)
        recorded.append((name, about))

    monkeypatch.setattr(order_events, "record_event", note)
    return recorded


def actor(customer: Customer | None = None) -> Actor:
    return make.shopper(customer_id=customer.pk if customer else None)


def request(made: Order, customer: Customer, **values: Any) -> OrderTransfer:
    requesting.request_transfer(actor=actor(customer), order_id=made.pk, **values)
    return OrderTransfer.objects.get(order=made, customer=customer, status="requested")


def token_of(transfer: OrderTransfer, number: int = 1) -> str:
    mail = render_transfer_mail(transfer.pk, number)
    assert mail is not None
    return str(mail.context["token"])


def refusal(verb: Any, **values: Any) -> tuple[type[DomainError], str]:
    with pytest.raises(DomainError) as refused:
        verb(**values)
    kind = next(each for each in (NotAllowed, InvalidData, Forbidden, OrderNotFound) if isinstance(refused.value, each))
    return kind, refused.value.message


def accept(made: Order, token: str, customer: Customer | None = None) -> None:
    answering.accept(actor=actor(customer), order_id=made.pk, token=token)


def decline(made: Order, token: str) -> None:
    answering.decline(actor=actor(), order_id=made.pk, token=token)


def statuses(made: Order) -> list[str]:
    return list(made.transfers.order_by("created_at", "pk").values_list("status", flat=True))


# --- Requesting -------------------------------------------------------------------------------------------------------


def test_a_request_queues_a_mail_and_an_event_and_changes_nothing_of_the_order(
    ann: Customer, bob: Customer, events: list[tuple[str, str]]
) -> None:
    made = placed(customer=ann)
    before = Order.objects.values().get(pk=made.pk)
    transfer = request(made, bob, description="It is mine", update_order_email=True)
    assert (transfer.description, transfer.update_order_email, transfer.token_digest) == ("It is mine", True, None)
    assert mails() == [("transfer_requested", transfer.pk, 1, True)]
    assert events == [("order.transfer_requested", made.pk)]
    assert Order.objects.values().get(pk=made.pk) == before


def test_24_requests_that_are_refused(ann: Customer, bob: Customer) -> None:
    made, canceled = (placed(customer=ann) for _ in range(2))
    Order.objects.filter(pk=canceled.pk).update(status=OrderStatus.CANCELED)
    erased = placed(email=None)
    request(made, bob)
    queued = mails()
    verb = requesting.request_transfer
    for refused_order, customer, expected in (
        (made, ann, f"Order: {made.pk} already belongs to customer: {ann.pk}"),
        (made, bob, f"Order ({made.pk}) already has an existing active order change"),
        (canceled, bob, f"Order with id {canceled.pk} has been canceled."),
        (erased, bob, f"Order {erased.pk} has no email address that could confirm the transfer"),
    ):
        assert refusal(verb, actor=actor(customer), order_id=refused_order.pk) == (InvalidData, expected)
    for order_id in ("order_x", "\0", str(made.display_id)):
        assert refusal(verb, actor=actor(bob), order_id=order_id)[0] is OrderNotFound
    assert refusal(verb, actor=actor(), order_id=made.pk)[0] is Forbidden
    message = "Value for field 'description' too long, expected at most: '1000' characters"
    assert refusal(verb, actor=actor(bob), order_id=canceled.pk, description="x" * 1001) == (InvalidData, message)
    assert mails() == queued


def test_an_order_of_another_channel_is_unknown_to_every_verb(bob: Customer) -> None:
    made = placed()
    token = token_of(request(made, bob))
    elsewhere = Actor("customer", bob.pk, (SalesChannelFactory().pk,))
    for verb, values in (
        (requesting.request_transfer, {}),
        (answering.accept, {"token": token}),
        (answering.decline, {"token": token}),
        (cancellation.cancel, {}),
    ):
        assert refusal(verb, actor=elsewhere, order_id=made.pk, **values)[0] is OrderNotFound


def test_25_strangers_requests_block_neither_each_other_nor_the_owner_nor_staff(bob: Customer) -> None:
    owner, member = CustomerFactory(has_account=True), staff()
    made = delivered((make.sold_variant(10), 2), customer=owner)
    for stranger in (bob, CustomerFactory()):
        request(made, stranger)
    returned = returns.request(actor=actor(owner), order_id=made.pk, items=wanted(made, 1))
    details.change(actor=member, order_id=made.pk, locale="de", shipping_address={"address_1": "2 Oak"})
    completion.complete(actor=member, order_id=made.pk, note="The return is on its way")
    assert statuses(made) == ["requested", "requested"]
    made.refresh_from_db()
    assert made.shipping_address is not None
    assert (made.locale, made.shipping_address.address_1, made.status) == ("de", "2 Oak", "completed")
    assert [(each.pk, each.status) for each in made.returns.all()] == [(returned, "requested")]


def test_after_a_request_has_expired_the_customer_can_make_another_one(bob: Customer) -> None:
    made = placed()
    first = request(made, bob)
    token = token_of(first)
    OrderTransfer.objects.update(expires_at=now())
    second = request(made, bob)
    assert statuses(made) == ["canceled", "requested"]
    assert refusal(accept, made=made, token=token) == INVALID
    accept(made, token_of(second))


# --- The email --------------------------------------------------------------------------------------------------------


def test_26_the_mail_goes_to_the_address_of_the_order_and_never_to_the_requester(bob: Customer) -> None:
    made = placed()
    transfer = request(made, bob, description="Buy pills at http://pills.example", update_order_email=True)
    mail = render_transfer_mail(transfer.pk, 1)
    assert mail is not None
    assert (mail.recipient, mail.template) == ("guest@example.com", "transfer_requested")
    assert mail.context.keys() == {"order", "link", "token", "days"}
    assert "bob" not in str(mail.context)


def test_the_token_has_256_bits_and_only_its_digest_is_stored(bob: Customer) -> None:
    transfer = request(placed(), bob)
    before = now()
    token = token_of(transfer)
    transfer.refresh_from_db()
    assert len(token) == 43
    assert transfer.token_digest == token_digest(token)
    assert token not in str(OrderTransfer.objects.values())
    assert transfer.expires_at is not None
    assert before + timedelta(days=7) <= transfer.expires_at <= now() + timedelta(days=7)


def test_a_repeated_attempt_to_send_the_mail_has_the_same_token_and_another_mail_another(bob: Customer) -> None:
    made = placed()
    transfer = request(made, bob)
    first = token_of(transfer)
    assert token_of(transfer) == first
    again = token_of(transfer, 2)
    assert again != first
    assert refusal(accept, made=made, token=first) == INVALID
    accept(made, again)


def test_the_link_leads_to_the_storefronts_page(bob: Customer, settings: Any) -> None:
    settings.STOREFRONT_URL = "https://shop.example"
    made = placed()
    mail = render_transfer_mail(request(made, bob).pk, 1)
    assert mail is not None
    assert mail.context["link"] == f"https://shop.example/us/order/{made.pk}/transfer/{mail.context['token']}"


def test_there_is_no_mail_once_the_request_is_over(bob: Customer) -> None:
    made = placed()
    transfer = request(made, bob)
    cancellation.cancel(actor=actor(bob), order_id=made.pk)
    assert render_transfer_mail(transfer.pk, 1) is None
    transfer = request(made, bob)
    Order.objects.filter(pk=made.pk).update(status=OrderStatus.CANCELED)
    assert render_transfer_mail(transfer.pk, 1) is None
    assert render_transfer_mail("ordtsf_x", 1) is None


# --- Answering --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("update_order_email", "email"), [(True, "bob@example.com"), (False, "ann@example.com")])
def test_accepting_gives_the_order_to_the_requester(
    ann: Customer, bob: Customer, events: list[tuple[str, str]], update_order_email: bool, email: str
) -> None:
    made = placed(customer=ann)
    token = token_of(request(made, bob, update_order_email=update_order_email))
    accept(made, token)
    made.refresh_from_db()
    assert (made.customer_id, made.email, statuses(made)) == (bob.pk, email, ["accepted"])
    assert events[-1] == ("order.updated", made.pk)


def test_declining_leaves_it_where_it_is(ann: Customer, bob: Customer) -> None:
    made = placed(customer=ann)
    token = token_of(request(made, bob))
    decline(made, token)
    made.refresh_from_db()
    assert (made.customer_id, statuses(made)) == (ann.pk, ["declined"])
    assert refusal(accept, made=made, token=token) == INVALID
    request(made, bob)


def test_24_tokens_that_are_refused(ann: Customer, bob: Customer) -> None:
    made, other, untouched = (placed(customer=ann) for _ in range(3))
    token = token_of(request(made, bob))
    foreign = token_of(request(other, bob))
    for wrong in ("", "nope", "é\ud800", foreign, token[:-1], token + "A", token_digest(token), "x" * 100_000):
        for answer in (accept, decline):
            assert refusal(answer, made=made, token=wrong) == INVALID
    none = (InvalidData, f"Order {untouched.pk} does not have an order transfer request.")
    assert refusal(accept, made=untouched, token=token) == refusal(decline, made=untouched, token=token) == none
    made.refresh_from_db()
    assert (made.customer_id, statuses(made)) == (ann.pk, ["requested"])
    accept(made, token)


def test_24_a_token_answers_once(bob: Customer) -> None:
    made = placed()
    token = token_of(request(made, bob))
    accept(made, token)
    assert refusal(accept, made=made, token=token) == INVALID
    assert refusal(decline, made=made, token=token) == INVALID


def test_24_an_expired_token_is_refused(bob: Customer) -> None:
    made = placed()
    token = token_of(request(made, bob))
    OrderTransfer.objects.update(expires_at=now())
    assert refusal(accept, made=made, token=token) == INVALID
    OrderTransfer.objects.update(expires_at=now() + timedelta(minutes=1))
    accept(made, token)


def test_24_an_order_that_is_canceled_meanwhile_stays_where_it_is(ann: Customer, bob: Customer) -> None:
    made = placed(customer=ann)
    token = token_of(request(made, bob))
    Order.objects.filter(pk=made.pk).update(status=OrderStatus.CANCELED)
    assert refusal(accept, made=made, token=token) == (InvalidData, f"Order with id {made.pk} has been canceled.")
    made.refresh_from_db()
    assert made.customer_id == ann.pk


def test_one_answer_ends_the_requests_of_all_others(ann: Customer, bob: Customer) -> None:
    """Their emails went to an address that may no longer be the owner's."""
    made = placed(customer=ann)
    token, other = token_of(request(made, bob)), token_of(request(made, CustomerFactory()))
    accept(made, token)
    assert sorted(statuses(made)) == ["accepted", "canceled"]
    assert refusal(accept, made=made, token=other) == INVALID


@pytest.mark.parametrize("gone", [{"deleted_at": now()}, {"has_account": False}])
def test_nobody_accepts_for_an_account_that_is_gone(bob: Customer, gone: dict[str, Any]) -> None:
    made = placed()
    token = token_of(request(made, bob))
    Customer.objects.filter(pk=bob.pk).update(**gone)
    assert refusal(accept, made=made, token=token) == INVALID


# --- Canceling --------------------------------------------------------------------------------------------------------


def test_the_requester_cancels(bob: Customer) -> None:
    made = placed()
    token = token_of(request(made, bob))
    cancellation.cancel(actor=actor(bob), order_id=made.pk)
    assert statuses(made) == ["canceled"]
    assert refusal(accept, made=made, token=token) == INVALID
    none = (InvalidData, f"Order {made.pk} does not have an order transfer request.")
    assert refusal(cancellation.cancel, actor=actor(bob), order_id=made.pk) == none


def test_nobody_else_cancels_not_even_the_owner(ann: Customer, bob: Customer) -> None:
    made = placed(customer=ann)
    request(made, bob)
    expected = (NotAllowed, "This customer is not allowed to cancel the transfer.")
    for caller in (actor(ann), actor(CustomerFactory()), actor()):
        assert refusal(cancellation.cancel, actor=caller, order_id=made.pk) == expected
    assert statuses(made) == ["requested"]
