"""Store credit that pays for placed orders, and what is owed back as store credit."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from django.utils.timezone import localdate

from giftcards.models import StoreCreditAccount, Transaction
from giftcards.verification.verification import discrepancies
from kit.domain.actor import SYSTEM
from orders.common.summary import pending_difference_of
from orders.managing import credit_lines, payment_collections
from orders.models import Order, OrderCreditLine
from orders.refunds import creation
from orders.reports.sales.by_day import sales_by_day
from tests.factories.payments import refund_reason
from tests.orders.managing.shop import history, refusal, staff, statuses, work
from tests.orders.payment.owing import asked, owing_with_credit
from tests.orders.returns.shop import receive, request
from tests.payments.providers import FakeProvider, switched_on

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def fake(transactional_db: None, settings: Any) -> Iterator[FakeProvider]:
    with switched_on(settings) as made:
        yield made


def create(order: Order, amount: Any, reference_id: str = "edit_1", **given: Any) -> None:
    credit_lines.create(
        actor=staff(),
        order_id=order.pk,
        amount=Decimal(str(amount)),
        reference="order_change",
        reference_id=reference_id,
        **given,
    )


def stand(order: Order, account: StoreCreditAccount) -> tuple[Decimal, ...]:
    """Total, what is owed, credit of the order, balance of the account."""
    order.refresh_from_db()
    account.refresh_from_db()
    return order.total, pending_difference_of(order), order.credit_line_total, account.balance


def test_store_credit_pays_what_is_outstanding() -> None:
    order, account = owing_with_credit(25)
    payment_collections.create(actor=staff(), order_id=order.pk, amount=Decimal(18))
    before, version = sold(order), order.version
    assert stand(order, account) == (63, 18, 0, 25)
    create(order, 18, metadata={"by": "phone"})
    assert stand(order, account) == (45, 0, 18, 7)
    assert (statuses(order)[1], asked(order)) == ("captured", [(45, "completed")])
    line = OrderCreditLine.objects.get()
    named = (line.reference, line.reference_id, line.version, line.metadata)
    assert named == ("order_change", "edit_1", version + 1, {"by": "phone"})
    entry = Transaction.objects.get(type="debit")
    assert (entry.reference, entry.reference_id, entry.amount) == ("order_credit_line", line.pk, 18)
    assert history(order)[-1] == "Paid $18.00 by store credit."
    assert sold(order) == before
    assert list(discrepancies()) == []


def sold(order: Order) -> Decimal:
    """The sales of the day, which later credit changes nothing of."""
    days = sales_by_day(SYSTEM, [localdate(order.created_at)])
    return next(iter(days[order.currency_id].values())).amount


def test_less_credit_leaves_the_rest_to_pay() -> None:
    order, account = owing_with_credit(10)
    payment_collections.create(actor=staff(), order_id=order.pk, amount=Decimal(18))
    create(order, 10)
    assert stand(order, account) == (53, 8, 10, 0)
    assert (statuses(order)[1], asked(order)) == ("partially_captured", [(45, "completed"), (8, "not_paid")])
    assert list(discrepancies()) == []


def test_two_lines_and_their_refund() -> None:
    order, account = owing_with_credit(25)
    create(order, 11)
    create(order, 7, reference_id="edit_2")
    assert stand(order, account) == (45, 0, 18, 7)
    reason = refund_reason()
    creation.create(actor=staff(), order_id=order.pk, amount=Decimal(63), refund_reason_id=reason.pk)
    work()
    assert stand(order, account)[3] == 25
    assert statuses(order)[1] == "refunded"
    assert order.credit_refunded_total == 18
    assert list(discrepancies()) == []


def test_what_is_owed_is_given_back_as_credit() -> None:
    order, account = owing_with_credit(20)
    create(order, 18)
    receive(request(order, 1), 1)
    owed = -stand(order, account)[1]
    assert owed == 20
    assert refusal(create, order=order, amount="-20.01") == (
        "invalid_data",
        "Field 'amount' must give back at most what the customer is owed: -20.00 usd",
    )
    create(order, -20)
    assert stand(order, account)[1:] == (0, 18, 22)
    assert (order.credit_refunded_total, order.allowance_total) == (20, 0)
    assert list(discrepancies()) == []


def test_what_is_refused() -> None:
    order, account = owing_with_credit(10)
    above = "Field 'amount' must be at most what is outstanding of the order: 18.00 usd"
    assert refusal(create, order=order, amount="18.01") == ("invalid_data", above)
    assert refusal(create, order=order, amount=11)[1] == "Amount is greater than the store credit account balance"
    assert refusal(create, order=order, amount=0)[1] == "Field 'amount' must not be 0"
    assert refusal(create, order=order, amount="0.001")[0] == "invalid_data"
    assert refusal(create, order=order, amount=-1)[1].endswith("owed: -0.00 usd")
    own = {"actor": staff(), "order_id": order.pk, "amount": Decimal(1), "reference_id": "x"}
    assert "'reference'" in refusal(credit_lines.create, **own, reference="gift-card")[1]
    assert "'reference'" in refusal(credit_lines.create, **own, reference="x" * 65)[1]
    assert refusal(credit_lines.create, **{**own, "order_id": "order_none"})[0] == "not_found"
    create(order, 4)
    assert refusal(create, order=order, amount=4)[0] == "duplicate_error"
    Order.objects.filter(pk=order.pk).update(customer=None)
    assert "account" in refusal(create, order=order, amount=1, reference_id="edit_2")[1]
    Order.objects.filter(pk=order.pk).update(canceled_at=order.created_at)
    assert "has been canceled" in refusal(create, order=order, amount=1, reference_id="edit_2")[1]
    assert (OrderCreditLine.objects.count(), stand(order, account)[3]) == (1, 6)
