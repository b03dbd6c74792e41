"""The store credit of the walk's customer: an account for each of three currencies, opened a day apart."""

from datetime import UTC, datetime, timedelta

from customers.models import Customer
from giftcards.models import StoreCreditAccount, TransactionGroup
from tests.factories.giftcards import store_credit
from tests.interface_walk.shop_words import NOTES

START = datetime(2026, 3, 1, 12, tzinfo=UTC)


def open_accounts(customer: Customer) -> None:
    """In dollars, euros and yen. Something was spent of the dollars."""
    for day, (code, amount) in enumerate((("usd", 20), ("eur", 30), ("jpy", 1000))):
        account = store_credit(customer, amount, currency_code=code)
        moment = START + timedelta(days=day)
        StoreCreditAccount.objects.filter(pk=account.pk).update(metadata=NOTES, created_at=moment, updated_at=moment)
    store_credit(customer, -5)
    TransactionGroup.objects.update(metadata=NOTES)
