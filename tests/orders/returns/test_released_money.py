"""What payments hold of an order of which nothing is due any more. The rest is released."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from giftcards.verification.verification import discrepancies
from kit.domain.actor import SYSTEM
from orders.common.summary import pending_difference_of
from orders.fulfillments import delivery
from orders.models import Order
from orders.returns import cancellation
from payments.models import Intent
from payments.movements import capturing
from payments.providers.base import Declined
from payments.states import Act
from tests.orders.fulfillments.shop import ordered, pack
from tests.orders.managing.shop import open_requests, work
from tests.orders.refunds.shop import payment_of, refund
from tests.orders.returns.shop import STAFF, receive, request
from tests.payments.providers import FAKE, FakeProvider, switched_on

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def fake(transactional_db: None, settings: Any) -> Iterator[FakeProvider]:
    with switched_on(settings) as made:
        yield made


def authorized(**given: Any) -> Order:
    """Delivered: five at ten dollars, and shipping of five; 55 are authorized, and nothing is captured."""
    order = ordered(**given)
    delivery.deliver(actor=STAFF, fulfillment_id=pack(order, 5).pk)
    return order


def capture(order: Order, amount: int | None = None) -> None:
    taken = None if amount is None else Decimal(amount)
    capturing.capture(actor=SYSTEM, payment_id=payment_of(order).pk, amount=taken)


def held(order: Order) -> tuple[str, int, int, str]:
    """The session's status, what is authorized and captured of its payment, and the order's payment status."""
    payment = payment_of(order)
    order.refresh_from_db()
    assert list(discrepancies()) == []
    assert payment.collection.authorized_amount == payment.authorized_amount
    return payment.session.status, int(payment.authorized_amount), int(payment.captured_amount), order.payment_status


class TestLocalProviders:
    def test_the_rest_is_voided_when_goods_come_back(self) -> None:
        order = authorized()
        capture(order, 30)
        returned = request(order, 3)
        receive(returned, 2)
        assert held(order) == ("authorized", 55, 30, "partially_captured")
        receive(returned, 1)
        assert held(order) == ("captured", 30, 30, "captured")
        assert pending_difference_of(order) == -5

    def test_the_rest_is_voided_by_the_capture_of_what_is_due(self) -> None:
        order = authorized()
        receive(request(order, 2), 2)
        assert held(order) == ("authorized", 55, 0, "authorized")
        capture(order)
        assert held(order) == ("captured", 35, 35, "captured")
        assert (pending_difference_of(order), payment_of(order).canceled_at) == (0, None)

    def test_nothing_is_voided_while_something_is_due(self) -> None:
        order = authorized()
        capture(order, 30)
        refund(order, 10)
        assert held(order) == ("authorized", 55, 30, "partially_refunded")
        capture(order)
        assert held(order) == ("captured", 55, 55, "partially_refunded")

    def test_a_requested_return_may_be_canceled(self, settings: Any) -> None:
        settings.RETURN_COUNTS = "requested"
        order = authorized()
        returned = request(order, 2)
        capture(order)
        assert held(order) == ("authorized", 55, 35, "partially_captured")
        cancellation.cancel(actor=STAFF, return_id=returned.pk)
        capture(order)
        assert held(order) == ("captured", 55, 55, "captured")


class TestOtherProviders:
    def test_the_rest_is_voided_by_one_request(self, fake: FakeProvider) -> None:
        order = authorized(provider_id=FAKE)
        capture(order, 30)
        returned = request(order, 4)
        receive(returned, 3)
        receive(returned, 1)
        assert open_requests() == [("cancel", None)]
        assert held(order) == ("authorized", 55, 30, "captured")
        work(2)
        assert fake.asked.count(Act.CANCEL) == 1
        assert held(order) == ("captured", 30, 30, "captured")
        refund(order, 15)
        assert held(order) == ("captured", 30, 30, "partially_refunded")

    def test_a_refusal_is_final_and_holds_up_no_refund(self, fake: FakeProvider) -> None:
        order = authorized(provider_id=FAKE)
        capture(order, 30)
        fake.says(Act.CANCEL, Declined("Captured payments cannot be canceled"))
        returned = request(order, 4)
        receive(returned, 3)
        work()
        assert open_requests() == []
        assert Intent.objects.get(act=Act.CANCEL).result == "refused"
        receive(returned, 1)
        assert open_requests() == []
        refund(order, 15)
        assert held(order) == ("authorized", 55, 30, "partially_refunded")

    def test_a_capture_under_way_is_left_to_its_report(self, fake: FakeProvider) -> None:
        order = authorized(provider_id=FAKE)
        capture(order, 30)
        Intent.objects.create(session=payment_of(order).session, act=Act.CAPTURE, amount=25)
        receive(request(order, 4), 4)
        assert open_requests() == [("capture", Decimal(25))]
