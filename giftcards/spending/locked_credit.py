"""What the credit lines of a cart take, with the cards and accounts that pay: locked, and checked afresh.

Cards are locked before accounts, both in the order of their ids.
Why: docs/decisions/orders.md#locks-are-taken-in-one-order.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from carts.pricing.cart_rows import CreditLineRow
from carts.pricing.locked_cart import LockedCart
from giftcards.cards.cards import Card, lock_cards
from giftcards.codes import masked
from giftcards.errors import CreditUnavailable
from giftcards.ledger import ledger
from giftcards.ledger.ledger import Account
from giftcards.models import CreditHold
from giftcards.spending.cart_credit import PAID_BY_CARD
from giftcards.states import CardStatus
from kit.reads.sql.keyed_rows import KeyedRows


@dataclass(frozen=True, slots=True)
class Hold:
    """A stored hold, of a card or of an account. amount: in 1/10,000."""

    id: str
    card_id: str | None
    account_id: str | None
    amount: int


@dataclass(frozen=True, slots=True)
class Sources:
    """What a cart takes, in 1/10,000: of pending cards, which are locked, and of accounts by their ids.

    names: how messages name the accounts.
    """

    of_cards: list[tuple[Card, int]]
    of_accounts: Counter[str]
    names: dict[str, str]


def holds_of(attempt_id: str | None) -> list[Hold]:
    """The attempt's holds. One statement; none without an attempt."""
    return _HOLDS.read([attempt_id]) if attempt_id is not None else []


def lock_cards_of(cart: LockedCart, *, attempt_id: str | None = None) -> Sources:
    """Lock the cards of the cart's credit lines, and check them. Lines that take nothing are skipped.

    attempt_id: what the caller's own attempt holds is there, even if the card has expired since.
    Raises CreditUnavailable. One statement, none without cards.
    """
    lines = [line for line in cart.credit_lines if line.amount]
    cards = lock_cards([line.reference_id for line in lines if line.reference == PAID_BY_CARD])
    sources = Sources([], Counter(), {})
    for line in lines:
        card = cards.get(line.reference_id) if line.reference == PAID_BY_CARD else None
        if card is not None and card.status == CardStatus.PENDING:
            _check_card(cart, card, line, attempt_id)
            sources.of_cards.append((card, line.amount))
            continue
        account_id, name = _account_of(line, card)
        sources.of_accounts[account_id] += line.amount
        sources.names[account_id] = name
    return sources


def lock_accounts_of(
    cart: LockedCart, sources: Sources, *, holds: Sequence[Hold] = (), holder: str | None = None
) -> dict[str, Account]:
    """Lock the accounts, and check that they can pay; they come as if the attempt's own holds were released.

    holder: the id of the account that pending cards are redeemed into, to be locked too.
    Raises CreditUnavailable. One statement, none without accounts.
    """
    own = Counter[str]()
    for hold in holds:
        if hold.account_id is not None:
            own[hold.account_id] += hold.amount
    named = {*sources.of_accounts, *own, *([holder] if holder else [])}
    locked = ledger.lock_accounts(sorted(named))
    accounts = {key: replace(account, held=account.held - own[key]) for key, account in locked.items()}
    for account_id, amount in sources.of_accounts.items():
        account, name = accounts.get(account_id), sources.names[account_id]
        is_own = account is not None and account.customer_id in (None, cart.row.customer_id)
        if account is None or not is_own or account.currency_code != cart.row.currency_id:
            raise CreditUnavailable(name, "cannot pay for this cart")
        if amount > account.available:
            raise CreditUnavailable(name, "has too low a balance")
    return accounts


def _check_card(cart: LockedCart, card: Card, line: CreditLineRow, attempt_id: str | None) -> None:
    name = _named(card)
    if card.held_by is not None and card.held_by != attempt_id:
        raise CreditUnavailable(name, "is reserved for another order")
    if card.held_by is None and card.is_expired:
        raise CreditUnavailable(name, "has expired")
    if card.customer_id not in (None, cart.row.customer_id) or card.currency_code != cart.row.currency_id:
        raise CreditUnavailable(name, "cannot pay for this cart")
    if line.amount > card.value:
        raise CreditUnavailable(name, "has too low a balance")


def _account_of(line: CreditLineRow, card: Card | None) -> tuple[str, str]:
    """The id of the account that the line takes from, and how messages name it."""
    if line.reference != PAID_BY_CARD:
        return line.reference_id, "Store credit"
    if card is None:
        raise CreditUnavailable("A gift card", "no longer exists")
    if card.status == CardStatus.CANCELED:
        raise CreditUnavailable(_named(card), "is canceled")
    if card.guest_account_id is None:
        raise CreditUnavailable(_named(card), "is already redeemed")
    return card.guest_account_id, _named(card)


def _named(card: Card) -> str:
    return f"Gift card {masked(card.code)}"


_HOLDS = KeyedRows(CreditHold.objects.all, key="attempt_id", row=Hold)
