"""What gift cards and store credit pay of a cart. Nothing is booked before the cart is completed.

The cart's credit lines name them. With every change of the cart, lines that can no longer pay are removed, and the
others pay the amount due: gift cards first, smallest balance first, then store credit.
"""

from collections.abc import Mapping

from carts.checkout import credit_lines
from carts.pricing.cart_rows import CreditLineRow
from carts.pricing.locked_cart import LockedCart
from giftcards.cards.cards import COLUMNS as CARD_COLUMNS
from giftcards.cards.cards import Card
from giftcards.ledger.ledger import COLUMNS as ACCOUNT_COLUMNS
from giftcards.ledger.ledger import Account
from giftcards.models import GiftCard, StoreCreditAccount
from giftcards.states import CardStatus
from kit.reads.sql.keyed_rows import KeyedRows

PAID_BY_CARD, PAID_BY_STORE_CREDIT = "gift-card", "store-credit"
"""The references of credit lines; their reference_id is the id of the card or account."""


def follow(cart: LockedCart) -> bool:
    """Update the credit lines of the locked cart to the amount due; returns whether any line changed, came or went.

    Two statements, none if the cart has no credit line.
    """
    if not cart.credit_lines:
        return bool(cart.removed_credit_lines)
    changed = bool(cart.removed_credit_lines)
    available = _available(cart)
    for line in list(cart.credit_lines):
        if line.id not in available:
            credit_lines.remove(cart, line)
            changed = True
    assert cart.costs is not None  # noqa: S101 - the cart's totals are computed before
    due = cart.costs.cart.total + cart.costs.cart.credit_line_total
    for line in sorted(cart.credit_lines, key=lambda line: _rank(line, available)):
        amount = min(available[line.id], due)
        due -= amount
        changed |= line.is_new or line.amount != amount
        line.amount = amount
    return changed


def card_balance(cart: LockedCart, card: Card) -> int | None:
    """The amount that the card can pay of the cart, in 1/10,000; None if it cannot pay for it at all."""
    if card.currency_code != cart.row.currency_id:
        return None
    if card.status == CardStatus.PENDING and not card.is_expired and card.held_by is None:
        return card.value if card.customer_id in (None, cart.row.customer_id) else None
    return card.guest_balance or None if card.status == CardStatus.REDEEMED else None


def _available(cart: LockedCart) -> Mapping[str, int]:
    """The most that each credit line can pay, by the line's id, without lines that can no longer pay."""
    found: dict[str, int] = {}
    cards = {card.id: card for card in _CARDS.read(_ids(cart, PAID_BY_CARD))}
    accounts = {account.id: account for account in _ACCOUNTS.read(_ids(cart, PAID_BY_STORE_CREDIT))}
    for line in cart.credit_lines:
        named = line.reference_id
        balance: int | None = None
        if named in cards:
            balance = card_balance(cart, cards[named])
        elif named in accounts:
            balance = _account_balance(cart, accounts[named])
        if balance is not None:
            most = line.most
            found[line.id] = balance if most is None else min(balance, most)
    return found


def _account_balance(cart: LockedCart, account: Account) -> int | None:
    is_for = (account.customer_id, account.currency_code) == (cart.row.customer_id, cart.row.currency_id)
    return account.available or None if is_for else None


def _rank(line: CreditLineRow, available: Mapping[str, int]) -> tuple[bool, int, str]:
    return line.reference != PAID_BY_CARD, available[line.id], line.id


def _ids(cart: LockedCart, reference: str) -> list[str]:
    return [line.reference_id for line in cart.credit_lines if line.reference == reference]


_CARDS = KeyedRows(GiftCard.objects.not_deleted, key="id", row=Card, columns=CARD_COLUMNS, decoded=("expires_at",))
_ACCOUNTS = KeyedRows(StoreCreditAccount.objects.not_deleted, key="id", row=Account, columns=ACCOUNT_COLUMNS)
