"""Adjusting a customer's store credit."""

from decimal import Decimal

from django.db import transaction

from giftcards.errors import AccountNotFound, AlreadyAdjusted, NoStoreCreditAccount
from giftcards.ledger import ledger
from giftcards.ledger.amounts import checked_amount
from giftcards.ledger.owners import check_currency, check_customer
from giftcards.ledger.references import ADJUSTMENT, Reference
from giftcards.models import Transaction
from kit.database.locking import lock_named
from kit.domain.actor import Actor
from kit.values import money, text
from kit.values.ids import ID_MAX_LENGTH, new_id

MAX_REASON_LENGTH = 1_000


@transaction.atomic
def adjust(
    *,
    actor: Actor,
    customer_id: str,
    currency_code: str,
    amount: Decimal,
    reason: str,
    adjustment_id: str | None = None,
) -> str:
    """Add the amount, in major units, to the customer's store credit; a negative amount is taken from it.

    The first credit in a currency opens the account. Returns the account's id.
    adjustment_id: unique per adjustment; a caller that may retry creates it beforehand.
    Raises BalanceTooLow (nothing is taken), NoStoreCreditAccount if there is nothing to take from, AccountFull,
    AlreadyAdjusted, InvalidData naming the field (amount, reason, currency_code, customer_id), Forbidden.
    Why: docs/decisions/gift-cards.md#every-source-of-credit-has-a-group.
    """
    actor.require("giftcards.add_transaction")
    code = money.currency(currency_code)
    details = _details(actor, reason, field="reason")
    entry = Reference(ADJUSTMENT, new_id("sc_adj") if adjustment_id is None else _fresh(adjustment_id))
    units = checked_amount(amount.copy_abs(), code)
    if amount > 0:
        check_currency(code)
        check_customer(customer_id)
        account = ledger.open_account(customer_id=customer_id, currency_code=code)
        ledger.credit([ledger.Credit(account, entry, units, entry)], details)
        return account.id
    found = ledger.lock_account_of(customer_id, code)
    if found is None:
        raise NoStoreCreditAccount(code)
    ledger.debit([(found, units)], entry=entry, details=details)
    return found.id


@transaction.atomic
def credit_account(*, actor: Actor, account_id: str, amount: Decimal, note: str) -> None:
    """Add the amount, in major units and above 0, to an account, which may be that of a guest's gift card.

    note: the reason. Raises AccountNotFound, AccountFull, InvalidData naming the field, Forbidden.
    """
    account, units, details = _locked(actor, account_id, amount, note)
    if account.customer_id is not None:
        check_customer(account.customer_id)
    entry = Reference(ADJUSTMENT, new_id("sc_adj"))
    ledger.credit([ledger.Credit(account, entry, units, entry)], details)


@transaction.atomic
def debit_account(*, actor: Actor, account_id: str, amount: Decimal, note: str) -> None:
    """Deduct the amount from an account. Raises BalanceTooLow (nothing changes), and the errors of credit_account."""
    account, units, details = _locked(actor, account_id, amount, note)
    ledger.debit([(account, units)], entry=Reference(ADJUSTMENT, new_id("sc_adj")), details=details)


def _locked(
    actor: Actor, account_id: str, amount: Decimal, note: str
) -> tuple[ledger.Account, int, ledger.EntryDetails]:
    actor.require("giftcards.add_transaction")
    details = _details(actor, note, field="note")
    if not text.is_storable(account_id):
        raise AccountNotFound(account_id)
    account = ledger.lock_account(account_id)
    return account, checked_amount(amount, account.currency_code), details


def _details(actor: Actor, reason: str, *, field: str) -> ledger.EntryDetails:
    checked = text.checked(reason, field=field, longest=MAX_REASON_LENGTH, may_be_blank=False)
    return ledger.EntryDetails(checked, actor.id if actor.type == "user" else None)


def _fresh(adjustment_id: str) -> str:
    """The id, locked until the transaction ends."""
    text.checked(adjustment_id, field="adjustment_id", longest=ID_MAX_LENGTH, may_be_blank=False)
    lock_named(f"adjustment {adjustment_id}")
    if Transaction.objects.filter(reference=ADJUSTMENT, reference_id=adjustment_id).exists():
        raise AlreadyAdjusted(adjustment_id)
    return adjustment_id
