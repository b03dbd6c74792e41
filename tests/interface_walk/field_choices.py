"""What `fields` chooses at each route that takes it."""

from dataclasses import dataclass

from tests.interface_walk.samples import ACCOUNTS, ADDRESS, CATEGORIES, PAYMENT, REDEEM, SHIPPING


@dataclass(frozen=True)
class Choice:
    """plain: the only names that shall come. less: a name that comes unasked, and shall not.

    more: what shall come beside all that comes unasked, as a path. refused: what the route does not offer.
    """

    plain: str
    less: str
    more: str
    refused: str


CHOICES = {
    REDEEM: Choice("value,status", "note", "customer.addresses.city", "unit"),
    SHIPPING: Choice("name,amount", "data", "prices.amount", "rules"),
    ADDRESS: Choice("email,phone", "metadata", "addresses.city", "orders"),
    CATEGORIES: Choice("name,handle", "description", "products.title", "path"),
    ACCOUNTS: Choice("balance,currency_code", "metadata", "transaction_groups.code", "gift_card"),
    PAYMENT: Choice("amount,status", "payment_sessions", "payment_providers.id", "cart"),
}
