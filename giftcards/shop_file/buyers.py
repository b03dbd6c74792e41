"""How gift cards and accounts name customers."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from customers.models import Customer
from kit.shop_file.references import Target
from kit.values import email_address


@dataclass(frozen=True)
class Buyers(Target):
    """Customers by email in any letter case, or by id. An email of an account and of guests names the account."""

    def ids_by_name(self, words: Iterable[str]) -> dict[str, str]:
        words = list(words)
        emails = {email_address.normalized(word) for word in words}
        rows = (
            Customer.objects.not_deleted().filter(Q(email__in=emails) | Q(pk__in=words)).order_by("has_account", "-pk")
        )
        ids = {name: pk for pk, email in rows.values_list("pk", "email") for name in (pk, email)}
        named = {word: ids.get(word) or ids.get(email_address.normalized(word)) for word in words}
        return {word: pk for word, pk in named.items() if pk is not None}


BUYERS = Buyers(Customer, "email", "customers")


def names(customers: Iterable[Customer | None]) -> dict[str, str]:
    """The names of these customers in a dump, by id: the email if it is unambiguous, otherwise the id."""
    emails = {customer.pk: customer.email or "" for customer in customers if customer is not None}
    meant = BUYERS.ids_by_name([email for email in emails.values() if email])
    return {pk: email if meant.get(email) == pk else pk for pk, email in emails.items()}
