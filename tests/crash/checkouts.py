"""A checkout that claims a bit of everything, and how it must end: one order, or everything released."""

import time
from decimal import Decimal
from typing import Any

from django.core.management import call_command

from carts.details import promotion_codes
from carts.models import Campaign, Cart, Promotion, PromotionCode, PromotionUsage
from catalog.models import InventoryLevel, Reservation
from customers.models import Customer
from giftcards.models import CreditHold, GiftCard, StoreCreditAccount
from giftcards.spending.cart_cards import add_card
from giftcards.spending.cart_store_credit import add_store_credit
from giftcards.verification.verification import discrepancies
from kit.messages.mails.models import Mail
from kit.messages.outbox.models import Event
from orders.models import CompletionAttempt, Order, OrderNumber
from payments.models import Intent, Payment, PaymentCollection, PaymentSession
from payments.states import Act
from tests.crash.interrupted_completions import Checkout, request
from tests.crash.interrupted_payments import PATIENCE
from tests.crash.journal_provider import Journal
from tests.factories.apikeys import publishable_key
from tests.factories.carts import CampaignFactory, PromotionFactory, shopper
from tests.factories.checkout import checked_out_cart, pay, stocked
from tests.factories.customers import CustomerFactory, token_of
from tests.factories.giftcards import gift_card, store_credit

WAIT_SECONDS = 20.0
DUE = Decimal(20)
"""Goods of 50 and shipping of 5, less the promotion's 5, a gift card of 20 and store credit of 10."""
KEY = "the-key-of-this-checkout"


def checkout(*, card: int = 20) -> Checkout:
    """A customer's, of the last piece in stock and the last use of a promotion, its code and its campaign's budget.

    card: the value of the gift card.
    """
    customer = CustomerFactory(has_account=True)
    cart = checked_out_cart(stocked(1, 50), customer_id=customer.pk)
    campaign = CampaignFactory(budget_type="spend", budget_limit=5, budget_currency_id="usd")
    PromotionFactory(
        code="FIVE", type="fixed", target="order", value=5, currency_id="usd", usage_limit=1, campaign=campaign
    )
    PromotionCode.objects.update(usage_limit=1)
    actor = shopper(customer_id=customer.pk)
    promotion_codes.add(actor=actor, cart_id=cart.pk, promo_codes=["FIVE"])
    add_card(actor=actor, cart_id=cart.pk, code=gift_card(card).code)
    if card < 50:  # else it pays for all
        store_credit(customer, 10)
        add_store_credit(actor=actor, cart_id=cart.pk)
        cart.refresh_from_db()
        assert cart.total == DUE
        pay(cart)
    return Checkout(cart.pk, _headers(customer))


def _headers(customer: Customer) -> dict[str, str]:
    key, token = publishable_key().token, token_of(customer)
    return {"x-publishable-api-key": key, "authorization": f"Bearer {token}", "idempotency-key": KEY}


def answered(checkout: Checkout) -> Any:
    """The response's body, asked for again after a 409, as clients do: a dead process keeps its lease for a moment."""
    deadline = time.monotonic() + WAIT_SECONDS
    while (response := request(checkout)).status_code == 409:
        assert time.monotonic() < deadline
    return response.json()


def work_off() -> None:
    """What the background worker does once a minute, until nothing is open."""
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        time.sleep(PATIENCE.total_seconds())
        call_command("resume_payments", verbosity=0)
        call_command("resume_completions", verbosity=0)
        if not CompletionAttempt.objects.filter(status="open").exists():
            return
        assert time.monotonic() < deadline


def check_answered(wanted: Checkout) -> None:
    """Each call from now on answers the order."""
    first, second = answered(wanted), answered(wanted)
    assert first["type"] == "order"
    assert first["order"]["id"] == Order.objects.get().pk
    assert second == first


def check_asked(journal: Journal, *, times: int) -> None:
    """The provider was asked to authorize so many times, and did it once."""
    (session,) = PaymentSession.objects.all()
    assert journal.asked(session.pk)[Act.AUTHORIZE] == times
    assert [act for act, _ in journal.done(session.pk)].count(Act.AUTHORIZE) == 1


def check_ordered(cart_id: str, *, paid: Decimal = DUE) -> None:
    """One order, and each claim is its own and counted once. paid: what was authorized."""
    order = Order.objects.get()
    assert (order.cart_id, order.display_id, OrderNumber.objects.get().last) == (cart_id, 1, 1)
    cart = Cart.objects.get(pk=cart_id)
    assert cart.completed_at is not None
    assert cart.closed_at is None
    (line,) = order.items.all()
    assert list(Reservation.objects.values_list("line_item_id", "quantity")) == [(line.pk, 1)]
    assert InventoryLevel.objects.get().reserved_quantity == 1
    assert [use.cart_id for use in PromotionUsage.objects.all()] == [cart_id]
    assert _used() == (1, 1, 5)
    assert GiftCard.objects.get().status == "redeemed"
    account = StoreCreditAccount.objects.get()
    assert (account.debits, account.held) == (order.credit_line_total, 0)
    assert order.total + order.credit_line_total == 50
    collection = PaymentCollection.objects.get()
    assert (collection.order_id, collection.amount, collection.authorized_amount) == (order.pk, paid, paid)
    assert (collection.captured_amount, Payment.objects.count()) == (0, int(paid > 0))
    assert Mail.objects.filter(kind="order_placed", about=order.pk).count() == 1
    assert Event.objects.filter(name="order.placed").count() == 1
    _check_at_rest("completed")


def check_released(cart_id: str, *, number_of_attempts: int) -> None:
    """No order, and stock, promotion, card and credit are as before."""
    assert not Order.objects.exists()
    assert not OrderNumber.objects.exists()
    cart = Cart.objects.get(pk=cart_id)
    assert (cart.completed_at, cart.closed_at) == (None, None)
    assert not Reservation.objects.not_deleted().exists()
    assert InventoryLevel.objects.get().reserved_quantity == 0
    assert not PromotionUsage.objects.exists()
    assert _used() == (0, 0, 0)
    card = GiftCard.objects.get()
    assert (card.status, card.held_by) == ("pending", None)
    assert list(StoreCreditAccount.objects.values_list("debits", "held")) == [(0, 0)]
    assert not Payment.objects.exists()
    assert not Mail.objects.filter(kind="order_placed").exists()
    assert not Event.objects.exists()
    assert CompletionAttempt.objects.count() == number_of_attempts
    _check_at_rest("released")


def _used() -> tuple[int, int, Decimal]:
    """Of the promotion, its code and its campaign's budget."""
    return Promotion.objects.get().used, PromotionCode.objects.get().used, Campaign.objects.get().budget_used


def _check_at_rest(status: str) -> None:
    assert set(CompletionAttempt.objects.values_list("status", flat=True)) <= {status}
    assert not CreditHold.objects.exists()
    assert not Intent.objects.filter(done_at=None).exists()
    assert list(discrepancies()) == []
