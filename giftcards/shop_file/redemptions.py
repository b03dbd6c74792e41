"""The accounts that a batch of gift cards was redeemed into: of customers and of guests."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from giftcards.models import GiftCard, StoreCreditAccount
from giftcards.shop_file.accounts import lock_accounts, open_accounts
from giftcards.shop_file.bookings import Bookings, Claims
from giftcards.shop_file.entries import TRANSACTION, Line, lines, of_card
from kit.database.locking import lock_rows
from kit.editing.changes import Changes
from kit.shop_file.problems import Problems
from kit.shop_file.values import DateTime, Entry, Id, Metadata, Objects, Value
from kit.values.ids import new_id

GUEST_ACCOUNT: Mapping[str, Value] = {
    "id": Id(prefix="sc_acc"),
    "created_at": DateTime(),
    "metadata": Metadata(),
    "transactions": Objects(fields=TRANSACTION),
}
"""What the file declares of the account that a guest's checkout redeemed a card into."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A valid object with its card."""

    entry: Entry
    card: GiftCard
    is_new: bool

    @property
    def guest_account(self) -> Entry | None:
        """The object's guest account, if it has one."""
        account: Entry | None = self.entry.given.get("guest_account")
        return account


def redeem(placed: Sequence[Placed], claims: Claims, problems: Problems) -> set[str]:
    """Book the credits of new cards among these redeemed ones, and missing entries of guests' accounts.

    Returns the ids of the cards that something was booked for.
    """
    new = [one for one in placed if one.is_new and one.card.customer_id]
    of_customers, _ = open_accounts({(str(one.card.customer_id), one.card.currency_id): None for one in new})
    of_guests = _guest_accounts([one for one in placed if one.guest_account], claims, problems)
    lines_by_card: dict[str, list[Line]] = {}
    for one in placed:
        owner = (str(one.card.customer_id), one.card.currency_id)
        account = of_guests.get(one.card.pk) or (of_customers[owner] if one.is_new and owner in of_customers else None)
        if account is not None:
            lines_by_card[one.card.pk] = list(_lines(one, account, problems))
    bookings = Bookings([line for of_one in lines_by_card.values() for line in of_one], claims, problems)
    booked = {card_id for card_id, of_one in lines_by_card.items() if bookings.book(of_one)}
    bookings.write()
    return booked


def _lines(one: Placed, account: StoreCreditAccount, problems: Problems) -> Iterator[Line]:
    if one.is_new:
        credit = one.entry.given.get("credit") or Entry(one.entry.path, {}, is_sound=True)
        yield of_card(account, one.card.pk, one.card.value, credit)
    if one.guest_account:
        yield from lines(account, one.guest_account.given.get("transactions", ()), problems)


def _guest_accounts(placed: Sequence[Placed], claims: Claims, problems: Problems) -> dict[str, StoreCreditAccount]:
    """By card: the accounts of stored cards, locked, and those of new cards, which are created."""
    stored = StoreCreditAccount.objects.filter(gift_card__in=[one.card.pk for one in placed if not one.is_new])
    found = {str(row.gift_card_id): row for row in lock_rows(stored)} if placed else {}
    new = [(one.card, one.guest_account) for one in placed if one.is_new and one.guest_account]
    taken = lock_accounts([declared.given["id"] for _, declared in new if "id" in declared.given])
    changes = Changes(StoreCreditAccount)
    for card, declared in new:
        account_id = declared.given.get("id") or new_id("sc_acc")
        if account_id in taken or claims.setdefault(account_id, declared.path) != declared.path:
            problems.add(f"{declared.path}.id", "belongs to another account")
            continue
        columns = {name: declared.given[name] for name in ("created_at", "metadata") if name in declared.given}
        found[card.pk] = changes.make(id=account_id, gift_card_id=card.pk, currency_id=card.currency_id, **columns)
    changes.write()
    return found
