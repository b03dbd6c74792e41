"""The money of one order recorded by many people at once: it arrives once."""

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from functools import partial
from typing import Any

import pytest

from giftcards.verification.verification import discrepancies
from kit.errors import DomainError
from orders.mails.payment_links import token_of
from orders.managing import payment_collections
from orders.managing.payment_links import creation, paying
from payments.models import Capture, PaymentCollection
from payments.states import Act
from tests.concurrency.crowd import at_once
from tests.factories.actors import staff_actor
from tests.factories.staff import UserFactory
from tests.orders.managing.shop import work
from tests.orders.payment.owing import asked, owing
from tests.payments.providers import FAKE, FakeProvider, switched_on

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]


@pytest.fixture(autouse=True)
def fake(transactional_db: None, settings: Any) -> Iterator[FakeProvider]:
    with switched_on(settings) as made:
        yield made


def outcome(verb: Any) -> str:
    try:
        verb()
    except DomainError as refusal:
        return type(refusal).__name__
    return "done"


def test_twenty_who_ask_and_twenty_who_record() -> None:
    order = owing()
    staff = staff_actor("payments.add_capture", "payments.change_paymentcollection", id=UserFactory().pk)
    create = partial(payment_collections.create, actor=staff, order_id=order.pk, amount=Decimal(18))
    assert Counter(at_once(lambda number: outcome(create), threads=20)) == {"done": 20}
    made = PaymentCollection.objects.get(order_id=order.pk, cart=None)
    mark = partial(payment_collections.mark_as_paid, actor=staff, collection_id=made.pk, order_id=order.pk)
    assert Counter(at_once(lambda number: outcome(mark), threads=20)) == {"done": 1, "CollectionPaid": 19}
    order.refresh_from_db()
    assert (order.paid_total, order.payment_status) == (63, "captured")
    assert Capture.objects.filter(payment__collection=made).count() == 1
    assert list(discrepancies()) == []


def test_ten_who_pay_by_a_link(fake: FakeProvider) -> None:
    order = owing()
    staff = staff_actor("payments.change_paymentcollection", id=UserFactory().pk)
    token = token_of(creation.create(actor=staff, order_id=order.pk))
    pay = partial(paying.pay, token=token, provider_id=FAKE, amount=Decimal(18))
    assert set(at_once(lambda number: outcome(pay), threads=10)) <= {"done", "ProviderUnavailable"}
    work()
    authorized = [call.charge.session_id for call in fake.calls if call.act is Act.AUTHORIZE]
    assert len(set(authorized)) == 2  # with the first payment
    assert asked(order) == [(45, "completed"), (18, "authorized")]
    assert list(discrepancies()) == []
