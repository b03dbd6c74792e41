"""The store credit of the walk's customer: an account for each of three currencies, opened a day apart."""

from datetime import UTC, datetime, timedelta
from typing import Any

from customers.models import Customer
from kit.values.timestamps import isoformat
from tests.factories import shop_file
from tests.factories.giftcards import store_credit
from tests.interface_walk.shop_words import NOTES

START = datetime(2026, 3, 1, 12, tzinfo=UTC)


def open_accounts(customer: Customer) -> None:
    """In dollars, euros and yen. Something was spent of the dollars."""
    opened = (("usd", 20), ("eur", 30), ("jpy", 1000))
    accounts = [_account(customer, START + timedelta(days=day), *each) for day, each in enumerate(opened)]
    shop_file.load(store_credit_accounts=accounts)
    store_credit(customer, -5)


def _account(customer: Customer, moment: datetime, currency_code: str, amount: int) -> dict[str, Any]:
    """The account as a shop file has it, credited when it was opened."""
    credit = {"type": "credit", "amount": amount, "reference": "adjustment", "reference_id": f"spring-{currency_code}"}
    return {
        "customer": customer.pk,
        "currency_code": currency_code,
        "metadata": NOTES,
        "transactions": [{**credit, "created_at": isoformat(moment)}],
        "created_at": isoformat(moment),
    }
