"""Rendering PDFs in the process of jobs: never in web processes, and once for each document."""

from django_tasks import task

from kit.jobs.queues import LONG
from orders.invoices.printing import files
from orders.invoices.printing.contents import readable
from orders.invoices.printing.pages import printable
from orders.invoices.printing.pdf import pdf_of
from orders.models import Invoice


@task(queue_name=LONG)
def render(invoice_id: str) -> None:
    """Make and store the PDF of the document, unless it has one.

    A process that is killed leaves the task to the next one; a failed task is listed, and staff can retry it.
    """
    document = readable(Invoice.objects.filter(pk=invoice_id, file=None)).first()
    if document is not None:
        files.keep(document, pdf_of(printable([document])))
