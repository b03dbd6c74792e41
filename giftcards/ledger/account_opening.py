"""Opening store credit accounts. A customer's first credit also opens one (giftcards/ledger/ledger.py)."""

from django.db import transaction

from giftcards.errors import AccountTaken
from giftcards.ledger.owners import check_currency, check_customer
from giftcards.models import StoreCreditAccount
from kit.domain.actor import Actor
from kit.values import money
from kit.values.metadata import Metadata, checked


@transaction.atomic
def open_account(*, actor: Actor, currency_code: str, customer_id: str, metadata: Metadata | None = None) -> str:
    """Open an empty account for a customer; returns its id.

    Raises AccountTaken, InvalidData naming the field (currency_code, customer_id, metadata), Forbidden.
    """
    actor.require("giftcards.add_storecreditaccount")
    code = money.currency(currency_code)
    check_currency(code)
    check_customer(customer_id)
    made = StoreCreditAccount(customer_id=customer_id, currency_id=code, metadata=checked(metadata))
    StoreCreditAccount.objects.bulk_create([made], ignore_conflicts=True)
    if not StoreCreditAccount.objects.filter(pk=made.pk).exists():
        raise AccountTaken(customer_id, code)
    return made.pk
