"""What an erasure will do, shown before it is confirmed."""

from collections.abc import Iterator
from datetime import timedelta

from django.conf import settings
from django.db.models import F, Max

from customers.models import Customer
from giftcards.models import StoreCreditAccount
from kit.values.counted import counted
from kit.values.shown_dates import shown_date
from kit.values.written_amounts import written
from orders.erasure.documents import last_kept
from orders.erasure.orders import last_due
from orders.erasure.people import Person, guest_rows
from orders.models import Invoice, Order

Point = tuple[str, str]


def preview(person: Person) -> Iterator[Point]:
    """What is erased now and later, what is kept, and what the person loses, each with a title. Seven statements."""
    due = person.orders.filter(created_at__lte=last_due())
    waiting = person.orders.filter(erased_at=None, created_at__gt=last_due())
    carts = counted(person.carts.filter(deleted_at=None).count(), "cart")
    traces = "stored API responses, addresses of emails, texts in the history of the admin site"
    yield "Erased now", f"{_who(person)}, {carts}, {traces}."
    if count := due.count():
        texts = (
            "Email, tax number, names, streets, cities, phones, notes, metadata, tracking numbers, the provider's data"
        )
        yield f"Erased from {counted(count, 'order')}", f"{texts}."
    if latest := waiting.aggregate(last=Max("created_at"))["last"]:
        days = settings.ERASURE_RETENTION_DAYS
        yield (
            f"Erased later from {counted(waiting.count(), 'order')}",
            f"The same, {days} days after each was placed; the last on {shown_date(latest + timedelta(days=days))}.",
        )
    kept = Invoice.objects.filter(order__in=person.orders, issued_at__gt=last_kept())
    if latest := kept.aggregate(last=Max("issued_at"))["last"]:
        days = settings.INVOICE_RETENTION_DAYS
        last = shown_date(latest + timedelta(days=days))
        text = f"The buyer on invoices and credit notes, {days} days after each was issued; the last on {last}."
        yield f"Erased later from {counted(kept.count(), 'document')}", text
    yield "Kept for accounting", "Number, items, amounts, taxes, statuses, country, two characters of the postal code."
    yield from _credit(person)
    yield from _others(person)


def _who(person: Person) -> str:
    if person.is_guest and person.email is None:
        return "Texts added since the erasure"
    if person.is_guest:
        return f"The guest {person.email}"
    return "The account with its login, addresses, groups, tax number and exemption"


def _credit(person: Person) -> Iterator[Point]:
    accounts = StoreCreditAccount.objects.filter(customer__in=person.customer_ids, credits__gt=F("debits"))
    amounts = [written(account.balance, account.currency_id) for account in accounts.order_by("currency")]
    if amounts:
        yield "Lost by the person", f"Store credit of {', '.join(amounts)}. It stays in the ledger."
    yield "Gift cards", "Unredeemed cards can be used by anybody who has the code."


def _others(person: Person) -> Iterator[Point]:
    """Other rows with the same email address, which does not prove whose they are."""
    if person.email is None:
        return
    if person.is_guest:
        if Customer.objects.not_deleted().filter(email=person.email, has_account=True).exists():
            yield "Not erased", "An account with this email. Erase it on its customer's page."
    elif number := Order.objects.filter(guest_rows(person.email)).count():
        placed = f"{counted(number, 'order')} that guests placed with this email"
        yield "Not erased", f"{placed}. Erase them on the page of one of these orders."
