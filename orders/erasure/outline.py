"""What an erasure of a person will do, in sentences for those who confirm it."""

from collections.abc import Iterator
from datetime import timedelta

from django.conf import settings
from django.db.models import F, Max

from commerce.kit.core import money
from customers.models import Customer
from giftcards.models import StoreCreditAccount
from orders.erasure.orders import last_due
from orders.erasure.people import Person, guest_rows
from orders.models import Order


def outline(person: Person) -> Iterator[str]:
    """What is erased now, what later, what is kept, and what the person loses. Six statements."""
    orders = person.orders.filter(erased_at=None)
    due, waiting = orders.filter(created_at__lte=last_due()), orders.filter(created_at__gt=last_due())
    carts = person.carts.filter(deleted_at=None).count()
    yield (
        f"Erased now: {_who(person)}, {_counted(carts, 'cart')} and what is kept beside them, such as stored answers, "
        "addresses of mails and texts in the history."
    )
    if count := due.count():
        yield (
            f"Erased from {_counted(count, 'order')}: e-mail, names, streets, cities, phones, notes, metadata, "
            "tracking numbers, and the providers' data about payments."
        )
    if latest := waiting.aggregate(last=Max("created_at"))["last"]:
        until = latest + timedelta(days=settings.ERASURE_RETENTION_DAYS)
        yield (
            f"Erased later: {_counted(waiting.count(), 'order')}, each {settings.ERASURE_RETENTION_DAYS} days after it "
            f"was placed, the last on {until:%Y-%m-%d}. Shoppers no longer see them."
        )
    yield "Kept for the books: numbers, items, amounts, taxes, statuses, country, two characters of each postal code."
    yield from _credit(person)
    yield from _others(person)


def _who(person: Person) -> str:
    if person.is_guest:
        return f"the guest {person.email}"
    return "the account with its login, addresses and groups"


def _credit(person: Person) -> Iterator[str]:
    accounts = StoreCreditAccount.objects.filter(customer__in=person.customer_ids, credits__gt=F("debits"))
    amounts = [
        f"{money.rounded(account.balance, account.currency_id)} {account.currency_id.upper()}"
        for account in accounts.order_by("currency")
    ]
    if amounts:
        yield f"Lost to the person: store credit of {', '.join(amounts)}. It stays in the ledger."
    yield "Gift cards that were not redeemed can be used by anybody who has the code."


def _others(person: Person) -> Iterator[str]:
    """The same e-mail address elsewhere, which is nobody's proof (orders.md D6)."""
    if person.email is None:
        return
    if person.is_guest:
        if Customer.objects.not_deleted().filter(email=person.email, has_account=True).exists():
            yield "Not erased: an account with this e-mail. Erase it on the page of its customer."
    elif number := Order.objects.filter(guest_rows(person.email), erased_at=None).count():
        yield f"Not erased: {_counted(number, 'order')} that guests placed with this e-mail. Erase them on their pages."


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
