"""The emails about what happens to an order after it was placed: shipped, canceled, refunded, returned."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from pytest_django import DjangoAssertNumQueries, Settings

from giftcards.models import GiftCard
from kit.domain.actor import SYSTEM
from kit.errors import DomainError
from kit.messages.mails.models import Mail
from kit.messages.mails.repeating import send_again
from kit.messages.mails.sending import send_due
from orders.fulfillments import shipping
from orders.fulfillments.labels import NewLabel, add_labels
from orders.fulfillments.requested_items import ItemQuantity
from orders.mails.refunds import render_refund_mail
from orders.mails.returns import render_receipt_mail, render_request_mail
from orders.mails.shipments import render_shipment_mail
from orders.managing import cancellation
from orders.models import Fulfillment, Order, RefundPart
from orders.returns import arrivals, creation, preparation
from orders.returns import cancellation as return_cancellation
from orders.returns.creation import ReturnDetails
from orders.returns.shipping import ReturnShipping
from payments.movements import refunding
from payments.providers.base import Declined
from payments.states import Act
from shop.models import Store
from tests.factories.carts import sold_variant
from tests.factories.customers import CustomerFactory
from tests.factories.fulfillment import option
from tests.factories.inventory import StockLocationFactory
from tests.orders.fulfillments.shop import STAFF, kit_of, lines, ordered, pack
from tests.orders.managing.shop import work
from tests.orders.refunds.shop import paid_order, payment_of, refund
from tests.orders.returns.shop import delivered, paid, receive, request, wanted
from tests.orders.returns.test_shipping import BACK
from tests.payments.providers import FakeProvider, switched_on

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def storefront(settings: Settings) -> None:
    settings.STOREFRONT_URL = "https://shop.example"
    Store.objects.update(name="Quayside Tea")


@pytest.fixture
def fake(db: None, settings: Any) -> Iterator[FakeProvider]:
    with switched_on(settings) as provider:
        yield provider


def kinds() -> list[str]:
    """The kinds of queued emails, without that of the order's placing."""
    return list(Mail.objects.exclude(kind="order_placed").order_by("pk").values_list("kind", flat=True))


def letters() -> list[EmailMultiAlternatives]:
    """Send what is due; the emails, without those of placed orders."""
    Mail.objects.filter(kind="order_placed").delete()
    mail.outbox = []
    send_due()
    assert set(Mail.objects.values_list("error", flat=True)) <= {""}
    return list(mail.outbox)


def bodies() -> list[str]:
    return [letter.body for letter in letters()]


def ship(made: Fulfillment, **given: Any) -> None:
    shipping.ship(actor=STAFF, fulfillment_id=made.pk, **given)


def titled(order: Order, *titles: str) -> Order:
    """The order with these titles of its lines."""
    for line, title in zip(lines(order), titles, strict=True):
        type(line).objects.filter(pk=line.pk).update(product_title=title, variant_title="100 g")
    return order


class TestShipped:
    def test_it_lists_the_shipped_items_the_tracking_numbers_and_the_address(self) -> None:
        order = titled(ordered((sold_variant(10), 3), (sold_variant(20), 1)), "Assam & Co", "Sencha")
        ship(pack(order, 2), labels=[NewLabel("T-1", "https://parcels.example/T-1?a=1&b=2"), NewLabel("T-2")])
        (letter,) = letters()
        assert (letter.to, letter.subject) == ([order.email], f"Your order {order} at Quayside Tea was shipped")
        assert letter.body == (
            f"These items of your order {order} at Quayside Tea were shipped.\n\n"
            "  2 x Assam & Co, 100 g\n\n"
            "Tracking:\n\n"
            "  T-1: https://parcels.example/T-1?a=1&b=2\n"
            "  T-2\n\n"
            "Delivery address:\n\n"
            "  Ann Lee\n"
            "  1 Elm\n"
            "  10001 New York\n"
            "  United States\n\n"
            f"Your order: https://shop.example/us/order/{order.pk}/confirmed\n"
        )
        ((page, _),) = letter.alternatives
        assert "2 \u00d7 Assam &amp; Co" in page
        assert '<a href="https://parcels.example/T-1?a=1&amp;b=2" style="color: #222">T-1</a><br>T-2' in page

    def test_each_shipment_has_its_own(self) -> None:
        order = titled(ordered((sold_variant(10), 3)), "Assam")
        first, second = pack(order, 1), pack(order, 2)
        ship(first, labels=[NewLabel("T-1")])
        ship(second, labels=[NewLabel("T-2")])
        one, two = bodies()
        assert "  1 x Assam" in one
        assert ("T-1" in one, "T-2" in one) == (True, False)
        assert "  2 x Assam" in two
        assert ("T-1" in two, "T-2" in two) == (False, True)

    def test_a_kit_is_one_line(self) -> None:
        place = StockLocationFactory()
        order = titled(ordered(kit_of((2, 9), (1, 9), location=place)), "Tea set")
        ship(pack(order, 1))
        assert bodies()[0].count("Tea set") == 1

    def test_without_labels_it_says_nothing_of_tracking(self) -> None:
        ship(pack(ordered(), 1))
        (letter,) = letters()
        assert "Tracking" not in letter.body + letter.alternatives[0][0]

    def test_a_repeated_shipment_sends_nothing(self) -> None:
        made = pack(ordered(), 1)
        ship(made)
        with pytest.raises(DomainError):
            ship(made)
        assert kinds() == ["order_shipped"]

    @pytest.mark.parametrize(
        ("no_notification", "queued"), [(True, []), (False, ["order_shipped"]), (None, ["order_shipped"])]
    )
    def test_no_notification_of_the_shipment(self, no_notification: bool | None, queued: list[str]) -> None:
        ship(pack(ordered(), 1), no_notification=no_notification)
        assert kinds() == queued

    def test_what_needs_no_shipping_has_none(self) -> None:
        order = ordered()
        made = pack(order, 1)
        Fulfillment.objects.update(requires_shipping=False)
        ship(made)
        assert kinds() == []

    def test_packing_sends_none(self) -> None:
        pack(ordered(), 1)
        assert kinds() == []

    def test_sent_again_it_has_the_labels_that_were_added_since(self) -> None:
        made = pack(ordered(), 1)
        ship(made)
        letters()
        add_labels(actor=STAFF, fulfillment_id=made.pk, labels=[NewLabel("T-9")])
        assert letters() == []
        send_again(actor=SYSTEM, mail=Mail.objects.get())
        assert "  T-9\n" in bodies()[0]


class TestCanceled:
    def test_it_names_the_items_and_promises_a_mail_about_the_refund(self, fake: FakeProvider) -> None:
        order = titled(paid_order(card=7), "Assam")
        cancellation.cancel(actor=SYSTEM, order_id=order.pk)
        work()
        canceled, *refunds = sorted(letters(), key=lambda letter: letter.subject, reverse=True)
        assert canceled.subject == f"Your order {order} at Quayside Tea was canceled"
        assert "  1 x Assam, 100 g\n" in canceled.body
        assert "you will receive another email about it" in canceled.body
        assert "Gift cards" not in canceled.body
        assert sorted(letter.body.partition(" for")[0] for letter in refunds) == [
            "We have refunded $28.00, tax included,",
            "We have refunded $7.00, tax included,",
        ]

    def test_a_second_cancellation_sends_nothing(self, fake: FakeProvider) -> None:
        order = ordered()
        cancellation.cancel(actor=SYSTEM, order_id=order.pk)
        with pytest.raises(DomainError):
            cancellation.cancel(actor=SYSTEM, order_id=order.pk)
        assert kinds() == ["order_canceled"]


class TestRefunded:
    def test_a_payment(self, fake: FakeProvider) -> None:
        order = paid_order()
        refund(order, "12.5")
        (letter,) = letters()
        assert letter.subject == f"A refund for your order {order} at Quayside Tea"
        assert letter.body == (
            f"We have refunded $12.50, tax included, for your order {order} at Quayside Tea.\n\n"
            "The amount goes back to the payment method that you paid with. It can take a few days until you see it "
            f"there.\n\nYour order: https://shop.example/us/order/{order.pk}/confirmed\n"
        )

    def test_a_payment_and_the_gift_card(self, fake: FakeProvider) -> None:
        order = paid_order(card=7)
        refund(order, 30)
        code = GiftCard.objects.get().code
        to_payment, to_card = sorted(bodies())
        assert to_payment.startswith("We have refunded $2.00, tax included, ")
        assert f"the gift card that you paid with, whose code ends in \u2026{code[-4:]}." in to_payment
        assert to_card.startswith("We have refunded $28.00, tax included, ")
        assert code not in to_payment + to_card

    def test_store_credit(self, fake: FakeProvider) -> None:
        order = paid_order(customer=CustomerFactory(has_account=True))
        refund(order, 5, to_store_credit=True)
        (body,) = bodies()
        assert body.startswith("We have refunded $5.00, tax included, ")
        assert "The amount was added to your store credit.\n" in body

    def test_a_declined_one_sends_nothing_until_it_succeeds_elsewhere(self, fake: FakeProvider) -> None:
        order = paid_order(customer=CustomerFactory(has_account=True))
        fake.says(Act.REFUND, Declined("Card expired"))
        refund(order, 5)
        assert kinds() == []
        refund(order, 5, to_store_credit=True)
        assert kinds() == ["order_refunded"]

    def test_one_that_is_answered_late_has_its_mail_then(self, fake: FakeProvider) -> None:
        order = paid_order()
        fake.says(Act.REFUND, TimeoutError())
        refund(order, 5)
        assert kinds() == []
        work()
        assert kinds() == ["order_refunded"]
        assert bodies()[0].startswith("We have refunded $5.00, tax included, ")

    def test_a_repeated_key_sends_nothing_more(self, fake: FakeProvider) -> None:
        order = paid_order(card=7)
        for _ in range(2):
            refund(order, 30, idempotency_digest="d" * 64)
        assert kinds() == ["order_refunded", "order_refunded"]

    def test_a_refund_of_one_payment(self, fake: FakeProvider) -> None:
        order = paid_order()
        refunding.refund(actor=SYSTEM, payment_id=payment_of(order).pk, amount=payment_of(order).captured_amount)
        assert bodies()[0].startswith("We have refunded $35.00, tax included, ")


class TestReturns:
    def test_a_request_lists_its_items(self) -> None:
        order = titled(delivered((sold_variant(10), 3), (sold_variant(20), 2)), "Assam", "Sencha")
        request(order, 2)
        (letter,) = letters()
        assert letter.subject == f"Return 1 of your order {order} at Quayside Tea"
        assert letter.body == (
            f"The return of these items of your order {order} at Quayside Tea was requested. It has the number 1.\n\n"
            "  2 x Assam, 100 g\n\n"
            "We will email you again when the items have arrived.\n\n"
            f"Your order: https://shop.example/us/order/{order.pk}/confirmed\n"
        )

    @pytest.mark.parametrize(
        ("amount", "sentence"),
        [
            (5, "Return shipping: By post, $5.00 with tax. It is deducted from your refund."),
            (0, "Return shipping: By post."),
        ],
    )
    def test_a_request_says_what_return_shipping_costs(self, amount: int, sentence: str) -> None:
        way = option(amount, name="By post", rules=BACK)
        request(delivered((sold_variant(10), 3)), 1, details=ReturnDetails(shipping=ReturnShipping(way.pk)))
        (letter,) = letters()
        assert f"\n{sentence}\n" in letter.body
        assert f"<p>{sentence}</p>" in letter.alternatives[0][0]

    def test_each_receipt_says_what_has_arrived_and_what_has_not(self) -> None:
        order = titled(delivered((sold_variant(10), 3), (sold_variant(20), 2)), "Assam", "Sencha")
        returned = request(order, 3, 1)
        letters()
        receive(returned, (1, 1))
        (part,) = letters()
        assert part.subject == f"Return 1 of your order {order} at Quayside Tea has arrived"
        assert (
            "  2 x Assam, 100 g (1 damaged)\n\nNot arrived yet:\n\n  1 x Assam, 100 g\n  1 x Sencha, 100 g\n"
            in part.body
        )
        assert "2 \u00d7 Assam (1 damaged)" in part.alternatives[0][0]
        receive(returned, 1, 1)
        (rest,) = letters()
        assert "  3 x Assam, 100 g (1 damaged)\n  1 x Sencha, 100 g\n" in rest.body
        assert "Not arrived" not in rest.body
        assert kinds() == ["return_requested", "return_received", "return_received"]

    def test_a_receipt_after_a_mail_was_sent_again_has_its_own(self) -> None:
        returned = request(delivered((sold_variant(10), 3)), 3)
        receive(returned, 1)
        letters()
        send_again(actor=SYSTEM, mail=Mail.objects.get(kind="return_received"))
        receive(returned, 1)
        numbers = Mail.objects.filter(kind="return_received").order_by("number").values_list("number", flat=True)
        assert list(numbers) == [1, 2, 3]

    def test_no_notification_of_the_return(self) -> None:
        order = delivered((sold_variant(10), 3))
        returned = request(order, 1, details=ReturnDetails(no_notification=True))
        receive(returned, 1)
        assert letters() == []

    def test_no_notification_of_a_receipt(self) -> None:
        returned = request(delivered((sold_variant(10), 3)), 1)
        letters()
        item = returned.items.get()
        arrivals.count_received(actor=STAFF, return_id=returned.pk, items=[ItemQuantity(item.item_id, 1)])
        arrivals.confirm(actor=STAFF, return_id=returned.pk, no_notification=True)
        assert letters() == []

    def test_a_prepared_return_has_its_mail_when_it_is_requested(self) -> None:
        order = delivered((sold_variant(10), 3))
        return_id = creation.begin(actor=STAFF, order_id=order.pk)
        preparation.add_items(actor=STAFF, return_id=return_id, items=wanted(order, 1))
        assert kinds() == []
        preparation.confirm(actor=STAFF, return_id=return_id)
        assert kinds() == ["return_requested"]

    def test_a_canceled_return_sends_nothing_more(self) -> None:
        returned = request(delivered((sold_variant(10), 3)), 1)
        return_cancellation.cancel(actor=STAFF, return_id=returned.pk)
        assert letters() == []


@pytest.mark.parametrize("given", [{"email": None}, {"no_notification": True}], ids=str)
def test_nobody_is_mailed_about_an_order_that_is_erased_or_wants_no_notification(
    fake: FakeProvider, given: dict[str, Any]
) -> None:
    order = delivered((sold_variant(10), 3))
    receive(request(order, 1), 1)
    refund(order, 1)
    ship(pack(paid(), 1))
    cancellation.cancel(actor=SYSTEM, order_id=paid().pk)
    Order.objects.update(**given)
    assert sorted(kinds()) == [
        "order_canceled",
        "order_refunded",
        "order_shipped",
        "return_received",
        "return_requested",
    ]
    assert letters() == []
    assert {each.status for each in Mail.objects.all()} == {"not needed"}


def test_the_statements_do_not_grow(fake: FakeProvider, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    for number in (1, 6):
        order = delivered(*((sold_variant(10), 2) for _ in range(number)))
        returned = request(order, *[1] * number)
        receive(returned, *[1] * number)
        made = pack(paid(*((sold_variant(10), 1) for _ in range(number))), *[1] * number)
        ship(made, labels=[NewLabel(f"T-{each}") for each in range(number)])
        refund(order, 1)
        with django_assert_num_queries(4):
            assert render_shipment_mail(made.pk, 1)
        with django_assert_num_queries(3):
            assert render_request_mail(returned.pk, 1)
        with django_assert_num_queries(3):
            assert render_receipt_mail(returned.pk, 1)
        part = RefundPart.objects.latest("pk")
        with django_assert_num_queries(1):
            assert render_refund_mail(part.pk, 1)
