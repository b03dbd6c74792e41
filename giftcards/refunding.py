"""Refunding spent store credit."""

from decimal import Decimal

from django.db import transaction

from commerce.kit.core.actor import Actor
from giftcards import ledger
from giftcards.amounts import checked_amount
from giftcards.errors import AlreadySettled, RefundExceedsSpent
from giftcards.models import Transaction
from giftcards.references import REFUND, Reference, check_payer
from giftcards.states import EntryType


@transaction.atomic
def refund(*, actor: Actor, account_id: str, amount: Decimal, payer: Reference, refund_id: str) -> None:
    """Refund the amount, in major units, to the account that the payer took it from, once for each refund_id.

    The same refund_id again, with the same amount, changes nothing.
    Raises AccountNotFound, RefundExceedsSpent, AccountFull, AlreadySettled, InvalidData (amount), Forbidden.
    Source: behaviour.md 0.24.
    """
    actor.require("giftcards.add_transaction")
    check_payer(payer)
    account = ledger.lock_account(account_id)
    units = checked_amount(amount, account.currency_code)
    source = Reference(REFUND, f"{refund_id}:{account.id}")
    known = Transaction.objects.filter(group__code=source.code, type=EntryType.CREDIT).first()
    if known is not None:
        if (known.amount, known.reference, known.reference_id) != (amount, payer.kind, payer.id):
            raise AlreadySettled(REFUND, refund_id)
        return
    spent = ledger.settled(payer, EntryType.DEBIT)[account.id]
    if units > spent - ledger.settled(payer, EntryType.CREDIT)[account.id]:
        raise RefundExceedsSpent
    ledger.credit([ledger.Credit(account, source, units, payer)])


def refund_all(*, payer: Reference, refund_id: str) -> int:
    """Refund what the payer has spent and not been refunded yet, to the accounts that it took it from.

    What a guest's gift card paid goes to the card's own account, which its code spends. Callers hold a transaction and
    lock the payer. Repeating it refunds nothing. Returns the sum, in 1/10,000. Raises AccountFull. Five statements, one
    if nothing was spent.
    """
    check_payer(payer)
    spent = ledger.settled(payer, EntryType.DEBIT)
    accounts = ledger.lock_accounts(sorted(spent)) if spent else {}
    refunded = ledger.settled(payer, EntryType.CREDIT) if spent else {}
    left = {key: spent[key] - refunded.get(key, 0) for key in sorted(spent) if spent[key] > refunded.get(key, 0)}
    returned = [
        ledger.Credit(accounts[key], Reference(REFUND, f"{refund_id}:{key}"), amount, payer)
        for key, amount in left.items()
    ]
    ledger.credit(returned)
    return sum(left.values())
