"""Refunding an order: which amounts, in which parts, and what becomes of a part that its provider declines."""

from decimal import Decimal
from typing import Any

import pytest

from giftcards.models import Transaction
from giftcards.spending.cart_cards import add_card
from giftcards.verification.verification import discrepancies
from kit.domain.actor import SYSTEM
from kit.errors import DomainError, Forbidden, InvalidData
from kit.messages.mails.models import Mail
from kit.messages.mails.sending import send_due
from kit.messages.mails.states import MailStatus
from kit.messages.outbox.models import Event
from kit.safety.idempotency.replay import KeyOfAnotherRequest
from orders.common.errors import OrderNotFound
from orders.models import GrantedRefund, RefundPart
from orders.refunds.errors import ReasonRequired, RefundTooLarge, StoreCreditNeedsCustomer, UnknownReturn
from payments.errors import (
    AmountChanged,
    NothingToRefund,
    PaymentProviderRefused,
    RefundReasonInUse,
    UnknownRefundReason,
)
from payments.lifecycle import completion
from payments.models import Intent
from payments.movements import refunding
from payments.providers.base import Action, Declined
from payments.reasons import refund_reasons
from payments.requests import intents
from payments.requests.events import receive_event
from payments.states import Act
from tests.factories.actors import staff_actor
from tests.factories.carts import shopper
from tests.factories.checkout import checked_out_cart, stocked
from tests.factories.customers import CustomerFactory
from tests.orders.completing import order_of
from tests.orders.fulfillments.shop import events
from tests.orders.managing.shop import work
from tests.orders.refunds.shop import (
    STAFF,
    account_of,
    captured,
    captured_payment,
    paid,
    paid_order,
    parts,
    payment_of,
    reason,
    refund,
    sums,
    twice_paid_order,
)
from tests.orders.returns.shop import delivered, return_of
from tests.payments.providers import FAKE, SIGNED, FakeProvider, event

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fake")]


def refunded(fake: FakeProvider) -> list[Decimal | None]:
    """What the provider was asked to refund."""
    return [call.amount for call in fake.calls if call.act == Act.REFUND]


class TestWhereItGoes:
    def test_34_to_the_payment_first_and_then_to_the_guests_card(self, fake: FakeProvider) -> None:
        order = paid_order(card=7)
        made = refund(order, 30, note="Cup broken")
        account = account_of(order)
        assert parts(made) == [(payment_of(order).pk, 28), (account.pk, 2)]
        assert sums(order) == (28, 2, 30, "refunded", 0)
        assert (made.allowance, made.created_by, made.note, order.version) == (30, "user_01TEST", "Cup broken", 2)
        assert refunded(fake) == [28]
        assert (account.gift_card_id is None, account.balance) == (False, 2)
        assert list(discrepancies()) == []

    def test_a_refunded_card_can_be_spent_again(self) -> None:
        order = paid_order(card=7)
        refund(order, 35)
        card = account_of(order).gift_card
        assert card is not None
        cart = checked_out_cart()
        add_card(actor=shopper(), cart_id=cart.pk, code=card.code)
        cart.refresh_from_db()
        assert cart.credit_line_total == 7

    def test_34_to_the_payment_that_was_captured_last(self) -> None:
        order, first, second = twice_paid_order()
        assert parts(refund(order, 29.99)) == [(second.pk, Decimal("29.99"))]
        assert parts(refund(order, 10)) == [(second.pk, Decimal("0.01")), (first.pk, Decimal("9.99"))]
        assert sums(order) == (Decimal("39.99"), 0, Decimal("39.99"), "partially_refunded", 0)

    def test_34_over_payment_card_and_credit(self) -> None:
        """The card of a customer is part of their store credit."""
        customer = CustomerFactory(has_account=True)
        order = paid_order(card=7, credit=8, customer=customer)
        account = account_of(order)
        before = account.balance
        assert parts(refund(order, 25)) == [(payment_of(order).pk, 20), (account.pk, 5)]
        made = refund(order, 10)
        assert parts(made) == [(account.pk, 10)]
        account.refresh_from_db()
        assert account.balance == before + 15
        entry = Transaction.objects.filter(group__account=account, type="credit").latest("pk")
        assert (entry.reference, entry.reference_id, entry.created_by) == ("order", order.pk, "user_01TEST")
        assert entry.group.code == f"refund:{made.pk}:{account.pk}"
        assert sums(order) == (20, 15, 35, "refunded", 0)
        assert list(discrepancies()) == []

    def test_the_whole_amount_to_store_credit(self, fake: FakeProvider) -> None:
        customer = CustomerFactory(has_account=True)
        order = paid_order(customer=customer)
        made = refund(order, 10, to_store_credit=True)
        account = customer.store_credit_accounts.get()
        assert parts(made) == [(account.pk, 10)]
        assert (account.balance, account.transaction_groups.get().code) == (10, f"refund:{made.pk}:{account.pk}")
        assert (refunded(fake), sums(order)) == ([], (0, 10, 10, "captured", 0))
        with pytest.raises(RefundTooLarge, match=r"^Value for field 'amount' too big: at most 25.00 usd of the order"):
            refund(order, 25.01)
        refund(order, 25)
        assert sums(order) == (25, 10, 35, "partially_refunded", 0)
        assert list(discrepancies()) == []

    @pytest.mark.parametrize("customer", [None, {"has_account": False}])
    def test_store_credit_is_for_those_who_can_sign_in(self, customer: dict[str, Any] | None) -> None:
        order = paid_order(customer=customer and CustomerFactory(**customer))
        with pytest.raises(StoreCreditNeedsCustomer, match=r"^Field 'to_store_credit' requires an order of a customer"):
            refund(order, 10, to_store_credit=True)


class TestAmounts:
    @pytest.mark.parametrize("amount", ["0", "-1", "-0.01", "0.001", "10.999", "NaN", "Infinity", "1e12"])
    def test_34_invalid_amounts(self, amount: str) -> None:
        with pytest.raises(InvalidData, match=r"[Ff]ield 'amount'"):
            refund(paid_order(), amount)
        assert not GrantedRefund.objects.exists()

    def test_34_at_most_what_was_paid(self, fake: FakeProvider) -> None:
        order = paid_order(card=7)
        with pytest.raises(RefundTooLarge, match=r"at most 35.00 usd of the order can be refunded$"):
            refund(order, 35.01)
        refund(order, 20)
        with pytest.raises(RefundTooLarge, match=r"at most 15.00 usd"):
            refund(order, 15.01)
        refund(order, 15)
        with pytest.raises(RefundTooLarge, match=r"at most 0.00 usd"):
            refund(order, 0.01)
        assert sum(amount or 0 for amount in refunded(fake)) == 28


class TestCreditAlone:
    def test_it_has_an_event_and_keeps_its_reason(self) -> None:
        order, why = paid_order(card=35), reason()
        made = refund(order, 5, refund_reason_id=why.pk)
        assert events(order)[-1] == ("order.refunded", order.pk)
        assert Event.objects.get(name="order.refunded").data["refund_id"] == made.pk
        with pytest.raises(RefundReasonInUse, match=r"is used by 1 refund and cannot be deleted"):
            refund_reasons.VERBS.delete(actor=SYSTEM, ids=[why.pk])

    def test_of_payments_the_payment_has_one(self) -> None:
        order, why = paid_order(), reason()
        refund(order, 5, refund_reason_id=why.pk)
        assert "order.refunded" not in dict(events(order))
        with pytest.raises(RefundReasonInUse, match=r"is used by 1 refund and"):
            refund_reasons.VERBS.delete(actor=SYSTEM, ids=[why.pk])


class TestRefusals:
    def test_a_reason_or_a_return(self) -> None:
        order = paid_order()
        with pytest.raises(ReasonRequired, match=r"^Field 'refund_reason_id' is required"):
            refund(order, 5, refund_reason_id=None)
        for unknown in ("refr_nobody", "\0", ""):
            with pytest.raises(UnknownRefundReason, match=r"given by field 'refund_reason_id'$"):
                refund(order, 5, refund_reason_id=unknown)
        for note in ("x" * 1001, "\0"):
            with pytest.raises(InvalidData, match="'note'"):
                refund(order, 5, note=note)
        others = return_of(delivered())
        for unknown in (others.pk, "return_nobody", "\0", ""):
            with pytest.raises(UnknownReturn, match=r"given by field 'return_id'$"):
                refund(order, 5, return_id=unknown)

    @pytest.mark.parametrize("order_id", ["order_nobody", "", "\0", "x" * 5000])
    def test_unknown_orders(self, order_id: str) -> None:
        with pytest.raises(OrderNotFound):
            refund(paid_order(), 5, order_id=order_id)

    def test_only_staff_who_may(self) -> None:
        with pytest.raises(Forbidden, match=r"^The permission 'payments.add_refund' is required$"):
            refund(paid_order(), 5, actor=staff_actor("payments.add_capture"))


class TestProviders:
    def test_34_a_declined_part_fails_and_the_others_succeed(self, fake: FakeProvider) -> None:
        customer = CustomerFactory(has_account=True)
        order = paid_order(credit=7, customer=customer)
        fake.says(Act.REFUND, Declined("The card is closed"))
        made = refund(order, 30)
        declined, credited = made.parts.order_by("rank")
        assert declined.intent is not None
        assert (declined.amount, declined.intent.result, declined.intent.error) == (28, "refused", "The card is closed")
        assert (credited.amount, sums(order)) == (2, (0, 2, 30, "captured", -28))
        elsewhere = refund(order, 28, to_store_credit=True)
        assert (elsewhere.allowance, sums(order)) == (0, (0, 30, 30, "captured", 0))
        with pytest.raises(RefundTooLarge, match=r"at most 5.00 usd"):
            refund(order, 5.01)
        assert list(discrepancies()) == []

    def test_34_an_unanswered_refund_is_retried_and_made_once(self, fake: FakeProvider) -> None:
        order = paid_order()
        fake.loses_answers(Act.REFUND, times=2)
        made = refund(order, 20, idempotency_digest="a" * 64)
        assert sums(order) == (0, 0, 20, "captured", -20)
        with pytest.raises(RefundTooLarge, match=r"at most 15.00 usd"):
            refund(order, 20)
        assert refund(order, 20, idempotency_digest="a" * 64) == made
        intents.carry_out(Intent.objects.get(done_at=None).pk, is_waiting=True)
        assert sums_now(order) == (20, 0, 20, "partially_refunded", 0)
        assert refund(order, 20, idempotency_digest="a" * 64) == made
        assert (len(refunded(fake)), GrantedRefund.objects.count(), RefundPart.objects.count()) == (3, 1, 1)
        assert list(fake.returned.values()) == [{Intent.objects.get(act=Act.REFUND).pk: Decimal(20)}]
        assert list(discrepancies()) == []

    def test_a_key_of_another_refund(self) -> None:
        order = paid_order()
        refund(order, 20, idempotency_digest="a" * 64)
        with pytest.raises(AmountChanged):
            refund(order, 10, idempotency_digest="a" * 64)
        with pytest.raises(KeyOfAnotherRequest):
            refund(paid_order(), 20, idempotency_digest="a" * 64)


def sums_now(order: Any) -> Any:
    order.refresh_from_db()
    return sums(order)


def refund_mails() -> list[Mail]:
    return list(Mail.objects.filter(kind="order_refunded"))


class TestRefundsOfPayments:
    """Of one payment, and on the provider's own screens."""

    def test_the_order_lists_them_and_owes_nothing(self) -> None:
        order = paid_order()
        payment = payment_of(order)
        refunding.refund(
            actor=STAFF, payment_id=payment.pk, amount=Decimal(5), refund_reason_id=reason().pk, note="Late"
        )
        assert sums_now(order) == (5, 0, 5, "partially_refunded", 0)
        made = GrantedRefund.objects.get()
        assert (made.amount, made.allowance, made.note, made.refund_reason_id) == (5, 5, "Late", reason().pk)
        assert parts(made) == [(payment.pk, 5)]
        assert made.parts.get().intent == Intent.objects.get(act=Act.REFUND)
        assert list(discrepancies()) == []

    def test_a_refund_of_the_order_is_listed_once(self) -> None:
        refund(paid_order(), 5)
        assert GrantedRefund.objects.count() == RefundPart.objects.count() == 1

    def test_a_refused_one_changes_nothing(self, fake: FakeProvider) -> None:
        order = paid_order()
        fake.says(Act.REFUND, Declined("No"))
        with pytest.raises(PaymentProviderRefused):
            refunding.refund(actor=STAFF, payment_id=payment_of(order).pk, amount=Decimal(5))
        assert (sums_now(order), GrantedRefund.objects.count()) == ((0, 0, 0, "captured", 0), 0)

    def test_at_most_what_can_be_refunded_of_the_order(self) -> None:
        order = paid_order(customer=CustomerFactory(has_account=True))
        refund(order, 10, to_store_credit=True)
        with pytest.raises(NothingToRefund, match=r"^At most 25.00 usd of the payment can be refunded$"):
            refunding.refund(actor=STAFF, payment_id=payment_of(order).pk, amount=Decimal("25.01"))
        refunding.refund(actor=STAFF, payment_id=payment_of(order).pk)
        assert sums_now(order) == (25, 10, 35, "partially_refunded", 0)

    def test_on_the_providers_own_screens(self) -> None:
        order = paid_order()
        payment = payment_of(order)
        body = event("evt_1", payment.session_id, Action.REFUNDED, status="captured", captured=35, refunded=6)
        for _ in range(2):
            receive_event(provider_id=FAKE, body=body, headers=SIGNED)
        assert sums_now(order) == (6, 0, 6, "partially_refunded", 0)
        made = GrantedRefund.objects.get()
        assert (made.created_by, made.parts.get().intent_id, parts(made)) == (None, None, [(payment.pk, 6)])
        assert list(discrepancies()) == []

    def test_an_event_that_comes_before_the_answer(self, fake: FakeProvider) -> None:
        order = paid_order()
        session_id = payment_of(order).session_id
        fake.says(Act.REFUND, ConnectionError())
        made = refund(order, 6)
        body = event("evt_1", session_id, Action.REFUNDED, status="captured", captured=35, refunded=6)
        receive_event(provider_id=FAKE, body=body, headers=SIGNED)
        assert (sums_now(order), GrantedRefund.objects.get()) == ((6, 0, 6, "partially_refunded", 0), made)
        for _ in range(2):
            send_due()
            assert [each.status for each in refund_mails()] == [MailStatus.SENT]
            work()  # the answer arrives

    def test_what_a_failed_attempt_returned_is_listed_and_not_mailed(self) -> None:
        cart = checked_out_cart(stocked(5, 30), provider_id=FAKE)
        payment = captured_payment(cart)
        completion.owe_refund(payment.session.collection_id, "Out of stock")
        work()
        order = captured(order_of(paid(cart, FAKE)))
        made = GrantedRefund.objects.get()
        assert (parts(made), made.note) == ([(payment.pk, 35)], "Out of stock")
        assert (refund_mails(), order.payment_status) == ([], "captured")
        refund(order, 5)
        assert len(refund_mails()) == 1

    def test_more_than_can_be_refunded_is_still_recorded(self) -> None:
        """The shop has lost that money; the books say so."""
        order = paid_order(customer=CustomerFactory(has_account=True))
        refund(order, 10, to_store_credit=True)
        body = event(
            "evt_1", payment_of(order).session_id, Action.REFUNDED, status="captured", captured=35, refunded=35
        )
        receive_event(provider_id=FAKE, body=body, headers=SIGNED)
        assert sums_now(order) == (35, 10, 45, "refunded", 0)
        with pytest.raises(DomainError, match=r"at most 0.00 usd"):
            refund(order, 1)
