"""The PDFs of documents: private files in settings.INVOICE_DIR, each written once."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from kit.commands.atomic_files import whole_file
from kit.database.locking import lock_row
from kit.messages.mails.tokens import mail_token
from orders.models import Invoice, InvoiceFile


class FileLost(Exception):
    """The file of a document is gone, or is another one than was written."""


def content_of(file: InvoiceFile) -> bytes:
    """The PDF. Raises FileLost."""
    try:
        content = (directory() / file.path).read_bytes()
    except FileNotFoundError:
        raise FileLost(f"INVOICE_DIR has no file {file.path} of invoice {file.pk}") from None
    if hashlib.sha256(content).hexdigest() != file.digest:
        raise FileLost(f"The file {file.path} of invoice {file.pk} has been changed")
    return content


@transaction.atomic
def keep(invoice_id: str, content: bytes) -> None:
    """Store the PDF of the document (mode 0600, in a directory of mode 0700), unless it has one.

    Its name cannot be guessed, and is the same again if a process is killed before the row is committed.
    """
    lock_row(Invoice.objects.all(), invoice_id)
    if InvoiceFile.objects.filter(pk=invoice_id).exists():
        return
    name = f"{mail_token('invoice_file', invoice_id, 1)}.pdf"
    with whole_file(str(directory() / name)) as file:
        file.write(content)
    digest = hashlib.sha256(content).hexdigest()
    InvoiceFile.objects.create(invoice_id=invoice_id, path=name, digest=digest, size=len(content))


def discard(documents: QuerySet[Invoice]) -> None:
    """Delete the PDFs of these documents. The file goes first: repeated after a crash, the row follows."""
    for file in InvoiceFile.objects.filter(invoice__in=documents):
        (directory() / file.path).unlink(missing_ok=True)
        file.delete()


def directory() -> Path:
    """The directory, which exists after this."""
    path = Path(settings.INVOICE_DIR)
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def stored() -> list[Path]:
    """All files."""
    return sorted(directory().glob("*.pdf"))


def lost() -> Iterator[str]:
    """A sentence for each document whose file is gone or was changed. Reads all files."""
    for file in InvoiceFile.objects.iterator():
        try:
            content_of(file)
        except FileLost as error:
            yield str(error)
