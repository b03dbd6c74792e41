"""What verify_ledger says of documents that somebody has changed by hand."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import F

from giftcards.verification.verification import discrepancies
from orders.invoices import triggers
from orders.models import Invoice, InvoiceLine, InvoiceNumber, InvoiceTax, Order, OrderLineItem, OrderShippingMethod
from tests.orders.invoices.shop import invoiced

pytestmark = pytest.mark.django_db


def _copied(row: Invoice, **changes: object) -> None:
    row.pk = f"{row.pk[:-1]}_"
    for name, value in changes.items():
        setattr(row, name, value)
    row.save(force_insert=True)


def _more_of_a_line() -> None:
    row = InvoiceLine.objects.order_by("position")[0]
    row.pk, row.position = f"{row.pk[:-1]}_", 9
    row.save(force_insert=True)


def _more_tax() -> None:
    row = InvoiceTax.objects.get()
    row.pk, row.position, row.subtotal = f"{row.pk[:-1]}_", 9, row.subtotal + 1
    row.save(force_insert=True)


def _earlier() -> None:
    row = Invoice.objects.get()
    _copied(row, number=2, issued_at=row.issued_at - timedelta(seconds=1), total=0, subtotal=0, tax_total=0)
    InvoiceNumber.objects.update(last=2)


def _drop_a_trigger() -> None:
    trigger = triggers.TRIGGERS[connection.vendor][0]
    table = f" ON {trigger.table}" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER {trigger.name}{table}")


CHANGES: dict[str, tuple[Callable[[], object], str]] = {
    "an allowance": (lambda: Order.objects.update(allowance_total=5), "sum to 60, not to 55, which it is worth"),
    "a cancellation": (lambda: Order.objects.update(canceled_at=F("created_at")), "sum to 60, not to 0"),
    "a line of the order": (
        lambda: OrderLineItem.objects.filter(title="mug").update(tax_total=3),
        "is documented as 20 and 4 tax, not 21 and 3",
    ),
    "a removed line": (
        lambda: OrderLineItem.objects.filter(title="mug").update(deleted_at=F("created_at")),
        "is documented as 20 and 4 tax, not 0 and 0",
    ),
    "a shipping method": (lambda: OrderShippingMethod.objects.update(tax_total=0), "documented as 5 and 1 tax, not 6"),
    "a further line": (_more_of_a_line, "has 50, 10 and 60, but its lines 70, 14 and 84, and its taxes 10"),
    "a further tax": (_more_tax, "has a tax on 51 at 20, but its lines there are worth 50"),
    "a lost number": (
        lambda: InvoiceNumber.objects.update(last=2),
        "has counted 2 documents, but there are 1, the last",
    ),
    "a lost series": (lambda: InvoiceNumber.objects.all().delete(), "belongs to no series"),
    "a time that falls": (_earlier, "is of an earlier time than the one before it in its series"),
    "an order that is said to have none": (lambda: Order.objects.update(invoicing=None), "the invoicing None, unlike"),
    "a trigger": (_drop_a_trigger, f"The trigger {triggers.TRIGGERS['sqlite'][0].name} is missing"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_each_change_is_found(name: str) -> None:
    invoiced()
    assert list(discrepancies()) == []
    change, expected = CHANGES[name]
    change()
    found = list(discrepancies())
    assert [each for each in found if expected in each], found
