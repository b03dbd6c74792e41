"""Paying for a cart with store credit."""

from decimal import Decimal

from django.db import transaction

from carts.checkout import credit_lines
from carts.pricing.locked_cart import LockedCart, lock_open_cart
from carts.pricing.refreshing import refresh
from giftcards.errors import BalanceTooLow, CartWithoutCustomer, NoBalance, NoStoreCreditAccount
from giftcards.ledger.amounts import checked_amount
from giftcards.models import StoreCreditAccount
from giftcards.spending.cart_credit import PAID_BY_STORE_CREDIT
from kit.domain.actor import Actor


@transaction.atomic
def add_store_credit(*, actor: Actor, cart_id: str, amount: Decimal | None = None) -> None:
    """Pay for the cart with the customer's store credit, as far as it covers the total.

    Only that customer and staff may do so, since everyone who knows its id can change a cart.
    amount: at most, in major units; by default the whole balance.
    Raises CartNotFound, CartCompleted, CartWithoutCustomer, NoStoreCreditAccount, NoBalance, BalanceTooLow, and
    InvalidData for an amount that the currency cannot pay.
    """
    cart = lock_open_cart(actor=actor, cart_id=cart_id)
    account = _account(cart, actor)
    most = None if amount is None else checked_amount(amount, cart.row.currency_id)
    if account.available == 0:
        raise NoBalance("Store credit account")
    if amount is not None and amount > account.available:
        raise BalanceTooLow
    credit_lines.upsert(cart, reference=PAID_BY_STORE_CREDIT, reference_id=account.pk, most=most)
    refresh(cart)


@transaction.atomic
def remove_store_credit(*, actor: Actor, cart_id: str) -> None:
    """Stop paying for the cart with store credit; does nothing if it pays nothing.

    Raises CartNotFound, CartCompleted.
    """
    cart = lock_open_cart(actor=actor, cart_id=cart_id)
    for line in [line for line in cart.credit_lines if line.reference == PAID_BY_STORE_CREDIT]:
        credit_lines.remove(cart, line)
    refresh(cart)


def _account(cart: LockedCart, actor: Actor) -> StoreCreditAccount:
    customer_id, currency_code = cart.row.customer_id, cart.row.currency_id
    if customer_id is None or not (customer_id == actor.id or actor.is_trusted):
        raise CartWithoutCustomer
    owned = StoreCreditAccount.objects.not_deleted().filter(customer_id=customer_id, currency_id=currency_code)
    account: StoreCreditAccount | None = owned.first()
    if account is None:
        raise NoStoreCreditAccount(currency_code)
    return account
