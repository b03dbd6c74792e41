"""Erasing the buyers of invoices and credit notes, which outlive the other data of their orders.

Why: docs/decisions/invoices.md#a-buyer-is-erased-once-the-law-no-longer-wants-the-name.
"""

from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from kit.database.locking import lock_rows
from kit.values.timestamps import now
from orders.invoices.printing import files
from orders.models import Invoice


@transaction.atomic(savepoint=False)
def erase_buyers() -> int:
    """Empty the buyers of erased orders' documents that were kept long enough; returns their number.

    Their PDFs are deleted on commit; those that a crash has left then, by the next call. Two statements.
    Triggers refuse every other change (orders/invoices/triggers.py).
    """
    kept = Invoice.objects.filter(order__erased_at__isnull=False, issued_at__lte=last_kept())
    # Locked, since a PDF may be about to be stored.
    documents = lock_rows(kept.filter(~Q(buyer={}) | Q(file__isnull=False)))
    ids = [document.pk for document in documents]
    transaction.on_commit(partial(files.discard, ids), robust=True)
    Invoice.objects.filter(pk__in=ids).update(buyer={})
    return sum(bool(document.buyer) for document in documents)


def last_kept() -> datetime:
    """The latest time of issue for which a document has been kept long enough."""
    return now() - timedelta(days=settings.INVOICE_RETENTION_DAYS)
