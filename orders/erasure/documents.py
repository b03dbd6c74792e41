"""Erasing the buyers of invoices and credit notes, which outlive the other data of their orders.

Why: docs/decisions/invoices.md#a-buyer-is-erased-once-the-law-no-longer-wants-the-name.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import QuerySet

from kit.values.timestamps import now
from orders.models import Invoice


def erase_buyers() -> int:
    """Empty the buyers of erased orders' documents that were kept long enough; returns their number. One statement.

    Triggers refuse every other change (orders/invoices/triggers.py).
    """
    rows: QuerySet[Invoice] = Invoice.objects.filter(order__erased_at__isnull=False, issued_at__lte=last_kept())
    return int(rows.exclude(buyer={}).update(buyer={}))


def last_kept() -> datetime:
    """The latest time of issue for which a document has been kept long enough."""
    return now() - timedelta(days=settings.INVOICE_RETENTION_DAYS)
