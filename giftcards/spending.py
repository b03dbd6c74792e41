"""Spending store credit."""

from decimal import Decimal

from django.db import transaction

from commerce.kit.core.actor import Actor
from giftcards import ledger
from giftcards.amounts import checked_amount
from giftcards.errors import AlreadySettled
from giftcards.references import Reference, check_payer
from giftcards.states import EntryType


@transaction.atomic
def spend(*, actor: Actor, account_id: str, amount: Decimal, payer: Reference) -> None:
    """Take the amount, in major units, from the account, once for each payer.

    payer: what is paid for, such as a cart. The same payer again, with the same amount, changes nothing.
    Raises AccountNotFound, BalanceTooLow (nothing is taken), AlreadySettled, InvalidData (amount), Forbidden.
    Source: behaviour.md 0.24.
    """
    actor.require("giftcards.add_transaction")
    check_payer(payer)
    account = ledger.lock_account(account_id)
    units = checked_amount(amount, account.currency_code)
    spent = ledger.settled(payer, EntryType.DEBIT)[account.id]
    if spent == 0:
        ledger.debit(account, units, entry=payer)
    elif spent != units:
        raise AlreadySettled(payer.kind, payer.id)
