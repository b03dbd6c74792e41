"""What a shop's own documents cause and say: from the capture to the email."""

import pytest
from django.core import mail
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from kit.domain.actor import SYSTEM
from kit.messages.mails.models import Mail
from kit.messages.mails.sending import send_due
from orders.changes.added_lines import NewItem
from orders.changes.editing import edit
from orders.fulfillments import delivery
from orders.managing.cancellation import cancel
from orders.models import Invoice
from tests.orders.changes.shop import goods
from tests.orders.fulfillments.shop import pack
from tests.orders.invoices.shop import documents, invoiced
from tests.orders.refunds.shop import refund
from tests.orders.returns.shop import receive, request

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def test_a_captured_order_is_sent_its_invoice(settings: Settings) -> None:
    order = invoiced()
    assert [(each.kind, each.about) for each in Mail.objects.filter(kind="invoice")] == [
        ("invoice", Invoice.objects.get().pk)
    ]
    assert not DBTaskResult.objects.filter(task_path__endswith="rendering.render").exists()
    Mail.objects.exclude(kind="invoice").delete()
    send_due()
    (letter,) = mail.outbox
    assert letter.subject == f"Your invoice R-{Invoice.objects.get().series_year}-000001 at Store"
    assert letter.recipients() == [order.email]
    mug, tee = order.items.order_by("unit_price").values_list("variant_title", flat=True)
    option = order.shipping_methods.get().name
    lines = [line.strip() for line in letter.body.splitlines() if line.strip()]
    assert lines[1 : lines.index("To:") + 1] == [
        *(f"2 x mug, {mug}: $20.00", f"1 x tee, {tee}: $25.00", f"1 x {option}: $5.00"),
        *("Tax 20 % of $50.00: $10.00", "Total: $60.00", "System default: -$60.00", "Amount due: $0.00"),
        *("From:", "Tea House Ltd", "1 Dock Road", "BS1 6AA Bristol", "United Kingdom", "Tax number GB123456789"),
        "To:",
    ]


def test_no_notification_silences_the_documents_that_a_step_writes() -> None:
    order = invoiced()
    refund(order, 5, no_notification=True)
    edit(actor=SYSTEM, order_id=order.pk, added_items=[NewItem(goods("lamp", 25).pk, 1)], no_notification=True)
    cancel(actor=SYSTEM, order_id=order.pk, no_notification=True)
    assert documents(order) == "R1 50.00+10.00, G1 4.17+0.83, R2 25.00+5.00, G2 70.83+14.17"
    first = Invoice.objects.get(kind="invoice", number=1)
    assert [each.about for each in Mail.objects.filter(kind__in=["invoice", "credit_note"])] == [first.pk]


def test_a_receipt_without_notification_is_silent_too() -> None:
    order = invoiced()
    delivery.deliver(actor=SYSTEM, fulfillment_id=pack(order, 2).pk)
    receive(request(order, 1), 1, no_notification=True)
    assert documents(order) == "R1 50.00+10.00, G1 10.00+2.00"
    assert not Mail.objects.filter(kind="credit_note").exists()


def test_with_pdfs_one_is_queued(settings: Settings) -> None:
    settings.INVOICE_PDF = True
    invoiced()
    task = DBTaskResult.objects.get(task_path__endswith="rendering.render")
    assert task.args_kwargs["kwargs"] == {"invoice_id": Invoice.objects.get().pk}
