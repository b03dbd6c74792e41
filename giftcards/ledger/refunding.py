"""Refunding spent store credit."""

from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal

from django.db import transaction

from giftcards.errors import AlreadySettled, RefundExceedsSpent
from giftcards.ledger import ledger
from giftcards.ledger.amounts import checked_amount
from giftcards.ledger.references import REFUND, Reference, check_payer
from giftcards.models import Transaction
from giftcards.states import EntryType
from kit.domain.actor import Actor


@transaction.atomic
def refund(*, actor: Actor, account_id: str, amount: Decimal, payer: Reference, refund_id: str) -> None:
    """Refund the amount, in major units, to the account that the payer took it from, once for each refund_id.

    The same refund_id again, with the same amount, changes nothing.
    Raises AccountNotFound, RefundExceedsSpent, AccountFull, AlreadySettled, InvalidData (amount), Forbidden.
    Why: docs/decisions/refunds.md#credit-is-debited-for-the-order-not-the-cart.
    """
    actor.require("giftcards.add_transaction")
    check_payer(payer)
    account = ledger.lock_account(account_id)
    units = checked_amount(amount, account.currency_code)
    source = _source(refund_id, account.id)
    known = Transaction.objects.filter(group__code=source.code, type=EntryType.CREDIT).first()
    if known is not None:
        if (known.amount, known.reference, known.reference_id) != (amount, payer.kind, payer.id):
            raise AlreadySettled(REFUND, refund_id)
        return
    spent = ledger.settled(payer, EntryType.DEBIT)[account.id]
    if units > spent - ledger.settled(payer, EntryType.CREDIT)[account.id]:
        raise RefundExceedsSpent
    ledger.credit([ledger.Credit(account, source, units, payer)])


def unrefunded(*payers: Reference) -> Counter[str]:
    """What the payers have spent and not been refunded, by account, in 1/10,000. Two statements for each."""
    return sum((_left(payer) for payer in payers), Counter())


def refund_accounts(
    amounts: Mapping[str, int], *, payers: Sequence[Reference], refund_id: str, created_by: str | None = None
) -> None:
    """Refund the amounts, in 1/10,000, to the accounts that the payers took them from, once per refund_id and account.

    The first payer is refunded first. The caller's transaction has locked the payers; amounts are at most what is
    `unrefunded`. Raises AccountFull. Three statements, and two for each payer if there are several.
    """
    accounts, left = ledger.lock_accounts(sorted(amounts)), Counter(amounts)
    credited = []
    for number, payer in enumerate(payers):
        spent = _left(payer) if len(payers) > 1 else left
        for account_id in amounts:
            if part := min(left[account_id], spent[account_id]):
                source = _source(refund_id, account_id, *([payer.id] if number else []))
                credited.append(ledger.Credit(accounts[account_id], source, part, payer))
        left -= Counter({each.account.id: each.amount for each in credited if each.entry == payer})
    ledger.credit(credited, ledger.EntryDetails(created_by=created_by))


def _left(payer: Reference) -> Counter[str]:
    return ledger.settled(payer, EntryType.DEBIT) - ledger.settled(payer, EntryType.CREDIT)


def refund_as_store_credit(
    amount: int, *, customer_id: str, currency_code: str, refund_id: str, created_by: str | None = None
) -> str:
    """Add an amount, in 1/10,000, that was paid by other means to the customer's store credit, once per refund_id.

    The first credit in a currency opens the account. Returns the account's id. Raises AccountFull.
    """
    account = ledger.open_account(customer_id=customer_id, currency_code=currency_code)
    credited = ledger.Credit(account, _source(refund_id, account.id), amount, Reference(REFUND, refund_id))
    ledger.credit([credited], ledger.EntryDetails(created_by=created_by))
    return account.id


def _source(refund_id: str, account_id: str, *payer_id: str) -> Reference:
    """payer_id: of each payer but the first, since a group has one credit."""
    return Reference(REFUND, ":".join((refund_id, account_id, *payer_id)))
