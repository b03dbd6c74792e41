"""The PDFs of documents: private files in settings.INVOICE_DIR, each written once."""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from django.conf import settings
from django.db import transaction

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
def keep(document: Invoice, content: bytes) -> None:
    """Store the PDF of the document as it was read (mode 0600, in a directory of mode 0700), unless it has one.

    Not if its buyer was erased since. The name cannot be guessed, and is the same again if a process is killed before
    the row is committed.
    """
    locked = lock_row(Invoice.objects.all(), document.pk)
    if locked is None or locked.buyer != document.buyer or InvoiceFile.objects.filter(pk=document.pk).exists():
        return
    name = _name(document.pk)
    with whole_file(str(directory() / name)) as file:
        file.write(content)
    digest = hashlib.sha256(content).hexdigest()
    InvoiceFile.objects.create(invoice=document, path=name, digest=digest, size=len(content))


def discard(document_ids: Sequence[str]) -> None:
    """Delete the PDFs of these documents, with those whose process was killed before it committed the row.

    Called once their erasure is committed. Each file goes before its row, so that it can be repeated after a crash.
    """
    rows = InvoiceFile.objects.in_bulk(document_ids)
    for key in document_ids:
        for name in {_name(key), *([rows[key].path] if key in rows else [])}:
            (Path(settings.INVOICE_DIR) / name).unlink(missing_ok=True)
        InvoiceFile.objects.filter(pk=key).delete()


def _name(document_id: str) -> str:
    return f"{mail_token('invoice_file', document_id, 1)}.pdf"


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
