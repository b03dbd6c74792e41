"""Store credit by the thousand. The database adds the entries up, as it does with those of the verbs."""

from decimal import Decimal

from customers.models import Customer
from giftcards.models import StoreCreditAccount, Transaction, TransactionGroup

CODES = ("usd", "eur", "gbp", "jpy", "chf", "sek", "nok", "dkk", "pln", "czk")


def stock_credit(customer: Customer, *, groups: int, entries: int = 1) -> list[StoreCreditAccount]:
    """The customer's accounts, one in each of ten currencies; each has a tenth of the groups, with so many entries."""
    accounts = StoreCreditAccount.objects.bulk_create(
        StoreCreditAccount(customer=customer, currency_id=code) for code in CODES
    )
    made = TransactionGroup.objects.bulk_create(
        TransactionGroup(account=accounts[number % len(CODES)], code=f"adjustment:{customer.pk}:{number}")
        for number in range(groups)
    )
    Transaction.objects.bulk_create(
        Transaction(group=group, type="credit", amount=Decimal(5), reference="adjustment", reference_id=f"{number}")
        for group in made
        for number in range(entries)
    )
    return accounts
