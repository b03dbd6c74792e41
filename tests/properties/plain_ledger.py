"""The ledger computed again in plain Python, in cents: what every verb does to it, or which refusal it is.

Nothing is changed by what raises. An account is the list of what is left of its groups, oldest first.
"""

from collections import Counter
from dataclasses import dataclass, field

from giftcards.errors import (
    AlreadyRedeemed,
    AlreadySettled,
    BalanceTooLow,
    CreditUnavailable,
    GiftCardCanceled,
    GiftCardExpired,
    GiftCardNotFound,
    NoStoreCreditAccount,
    RefundExceedsSpent,
)
from kit.errors import InvalidData, NotAllowed

CENTS = {"usd": 1, "eur": 1, "jpy": 100}
"""The smallest amount of each currency."""

Owner = tuple[str, int, str]
"""Whose an account is: ("customer", number, currency), or ("card", number, currency)."""


@dataclass
class Card:
    value: int
    currency: str
    bound_to: int | None
    status: str = "pending"
    is_expired: bool = False


@dataclass
class Ledger:
    cards: list[Card] = field(default_factory=list)
    accounts: dict[Owner, list[int]] = field(default_factory=dict)
    spent: Counter[tuple[int, Owner]] = field(default_factory=Counter)
    refunded: dict[tuple[int, Owner], tuple[int, int]] = field(default_factory=dict)
    held: dict[int, tuple[Owner, int]] = field(default_factory=dict)
    """By attempt."""
    entries: int = 0

    def issue(self, value: int, currency: str, bound_to: int | None) -> None:
        self._check(value, currency)
        self.cards.append(Card(value, currency, bound_to))

    def expire(self, number: int) -> None:
        self.cards[number].is_expired |= self.cards[number].status == "pending"

    def cancel(self, number: int) -> None:
        if self.cards[number].status != "pending":
            raise NotAllowed("final")
        self.cards[number].status = "canceled"

    def redeem(self, number: int, customer: int) -> None:
        card = self.cards[number]
        if card.status == "pending" and card.bound_to not in (None, customer):
            raise GiftCardNotFound("another's")
        self._check_unspent(card)
        self._redeemed(card, ("customer", customer, card.currency))

    def redeem_for_guest(self, number: int) -> None:
        card = self.cards[number]
        self._check_unspent(card)
        if card.bound_to is not None:
            raise GiftCardNotFound("a customer's")
        self._redeemed(card, ("card", number, card.currency))

    def adjust(self, customer: int, currency: str, amount: int) -> None:
        self._check(abs(amount), currency)
        owner = ("customer", customer, currency)
        if amount > 0:
            self._credit(owner, amount)
        elif owner not in self.accounts:
            raise NoStoreCreditAccount(currency)
        else:
            self._debit(owner, -amount)

    def spend(self, owner: Owner, amount: int, payer: int) -> None:
        """By an order that was not paid before; what its attempt holds is there for it alone."""
        if amount > self._available(owner, but=payer):
            raise CreditUnavailable("Store credit", "is held")
        self.held.pop(payer, None)
        self._debit(owner, amount)
        self.spent[payer, owner] = amount

    def hold(self, owner: Owner, amount: int, attempt: int) -> None:
        if amount > self._available(owner):
            raise CreditUnavailable("Store credit", "is held")
        self.held[attempt] = (owner, amount)

    def release(self, attempt: int) -> None:
        self.held.pop(attempt, None)

    def refund(self, owner: Owner, amount: int, payer: int, refund: int) -> None:
        self._check(amount, owner[2])
        known = self.refunded.get((refund, owner))
        if known not in (None, (payer, amount)):
            raise AlreadySettled("refund", str(refund))
        if known is None:
            given_back = sum(each for (_, whose), (of, each) in self.refunded.items() if (whose, of) == (owner, payer))
            if amount > self.spent[payer, owner] - given_back:
                raise RefundExceedsSpent
            self._credit(owner, amount)
            self.refunded[refund, owner] = (payer, amount)

    def _redeemed(self, card: Card, owner: Owner) -> None:
        card.status = "redeemed"
        self._credit(owner, card.value)

    def _credit(self, owner: Owner, amount: int) -> None:
        self.accounts.setdefault(owner, []).append(amount)
        self.entries += 1

    def _debit(self, owner: Owner, amount: int) -> None:
        groups = self.accounts[owner]
        if amount > self._available(owner):
            raise BalanceTooLow
        for place, left in enumerate(groups):
            part = min(left, amount)
            groups[place] -= part
            amount -= part
            self.entries += bool(part)

    def _available(self, owner: Owner, but: int | None = None) -> int:
        held = sum(amount for attempt, (whose, amount) in self.held.items() if whose == owner and attempt != but)
        return sum(self.accounts[owner]) - held

    @staticmethod
    def _check(amount: int, currency: str) -> None:
        if amount <= 0 or amount % CENTS[currency]:
            raise InvalidData("no amount")

    @staticmethod
    def _check_unspent(card: Card) -> None:
        if card.status == "redeemed":
            raise AlreadyRedeemed
        if card.status == "canceled":
            raise GiftCardCanceled
        if card.is_expired:
            raise GiftCardExpired
