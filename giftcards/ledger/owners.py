"""Checks of customers and currencies of cards and accounts."""

from customers.models import Customer
from giftcards.errors import CurrencyNotSold
from kit.domain.missing_row import missing
from kit.errors import InvalidData
from shop.models import Currency, Region


def check_currency(currency_code: str) -> None:
    """Raise InvalidData for a currency, in its stored form, that the shop does not have."""
    if not Currency.objects.filter(pk=currency_code).exists():
        raise InvalidData(f"The shop has no currency '{currency_code}' of field 'currency_code'")


def check_spendable(currency_code: str) -> None:
    """Raise CurrencyNotSold for a currency, in its stored form, that no region sells in."""
    if not Region.objects.not_deleted().filter(currency=currency_code).exists():
        raise CurrencyNotSold(currency_code)


def check_customer(customer_id: str) -> None:
    """Raise InvalidData for a customer who does not exist, or was deleted."""
    if Customer.objects.not_deleted().with_id(customer_id) is None:
        raise InvalidData(missing("Customer", customer_id, field="customer_id"))
