"""Erasing the buyers of invoices and credit notes, which outlive the other data of their orders.

Why: docs/decisions/invoices.md#a-buyer-is-erased-once-the-law-no-longer-wants-the-name.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import QuerySet

from kit.values.timestamps import now
from orders.invoices.printing import files
from orders.models import Invoice


def erase_buyers() -> int:
    """Empty the buyers of erased orders' documents that were kept long enough; returns their number.

    Their PDFs are deleted. Two statements, and one for each PDF.
    Triggers refuse every other change (orders/invoices/triggers.py).
    """
    kept: QuerySet[Invoice] = Invoice.objects.filter(order__erased_at__isnull=False, issued_at__lte=last_kept())
    rows = kept.exclude(buyer={})
    files.discard(rows)
    return int(rows.update(buyer={}))


def last_kept() -> datetime:
    """The latest time of issue for which a document has been kept long enough."""
    return now() - timedelta(days=settings.INVOICE_RETENTION_DAYS)
