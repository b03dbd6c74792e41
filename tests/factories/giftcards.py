"""Gift cards and store credit for tests. Credit comes by the ledger's own verbs: no test writes entries."""

from decimal import Decimal
from typing import Any

from django.db import transaction

from carts.pricing.cart_rows import CartRow, CreditLineRow
from carts.pricing.locked_cart import LockedCart
from customers.models import Customer
from giftcards.cards import issuing
from giftcards.cards.issuing import Terms
from giftcards.ledger import adjustment
from giftcards.models import GiftCard, StoreCreditAccount
from giftcards.spending.cart_credit import PAID_BY_CARD, PAID_BY_STORE_CREDIT
from giftcards.spending.holds import spend_credit
from kit.domain.actor import SYSTEM, Actor
from kit.values import money
from kit.values.ids import new_id
from orders.models import OrderLineItem
from shop.models import Currency


def gift_card(
    value: float | str | Decimal = 50, *, currency_code: str = "usd", code: str | None = None, **terms: Any
) -> GiftCard:
    """A pending card as `issue` makes it, or with the code that a test names."""
    Currency.objects.get_or_create(code=currency_code)
    wanted = Terms(value=Decimal(str(value)), currency_code=currency_code, **terms)
    if code is not None:
        return GiftCard.objects.create(code=code, **issuing.checked_columns(wanted))
    (card,) = issuing.issue(actor=SYSTEM, terms=wanted)
    return card


def bought_gift_card(line: OrderLineItem, **terms: Any) -> GiftCard:
    """The card of the line's first unit, as an order issues it."""
    wanted = Terms(**{"value": Decimal(50), "currency_code": "usd", **terms})
    return issuing.issue_for_line(actor=SYSTEM, terms=wanted, line_item_id=line.pk, units=1)[0]


def store_credit(customer: Customer, amount: float | str = 100, *, currency_code: str = "usd") -> StoreCreditAccount:
    """The customer's account, with that much more on it."""
    Currency.objects.get_or_create(code=currency_code)
    account_id = adjustment.adjust(
        actor=SYSTEM,
        customer_id=customer.pk,
        currency_code=currency_code,
        amount=Decimal(str(amount)),
        reason="for the test",
    )
    return StoreCreditAccount.objects.get(pk=account_id)


def redeemer(customer: Customer) -> Actor:
    """The customer as verbs see it."""
    return Actor(type="customer", id=customer.pk)


def cart_paid_by(*sources: tuple[GiftCard | StoreCreditAccount, Any], customer_id: str | None = None) -> LockedCart:
    """A cart in dollars, or an account's currency, that takes these amounts of cards and accounts. It is not stored."""
    currencies = {source.currency_id for source, _ in sources}
    row = CartRow(new_id("cart"), "", "", currencies.pop(), customer_id, None, None, None)
    lines = [
        CreditLineRow(
            new_id("cacl"),
            PAID_BY_CARD if isinstance(source, GiftCard) else PAID_BY_STORE_CREDIT,
            source.pk,
            amount=money.stored(Decimal(str(amount))),
            most=None,
        )
        for source, amount in sources
    ]
    return LockedCart(row, credit_lines=lines)


@transaction.atomic
def spend(account_id: str, amount: Any, *, order_id: str, attempt_id: str | None = None) -> None:
    """Take the amount from the account, for an order."""
    account = StoreCreditAccount.objects.get(pk=account_id)
    source = account.gift_card or account
    cart = cart_paid_by((source, amount), customer_id=account.customer_id)
    spend_credit(order_id=order_id, cart=cart, attempt_id=attempt_id)
