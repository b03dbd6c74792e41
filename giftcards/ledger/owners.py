"""Checks of customers and currencies of cards and accounts."""

from collections.abc import Collection

from customers.models import Customer
from giftcards.errors import CurrencyNotSold
from kit.domain.missing_row import missing
from kit.errors import InvalidData
from kit.values.text import is_storable
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
    check_customers([customer_id])


def check_customers(customer_ids: Collection[str]) -> None:
    """The same for any number of them. One statement."""
    named = {key for key in customer_ids if is_storable(key)}
    known = Customer.objects.not_deleted().filter(pk__in=named).values_list("pk", flat=True)
    if unknown := sorted({*customer_ids} - {*known}):
        raise InvalidData(missing("Customer", unknown[0], field="customer_id"))
