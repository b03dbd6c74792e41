"""Checks of a restored shop."""

from collections.abc import Iterator, Mapping

from django.db import connection

from catalog import search
from commerce.operations.backups.row_counts import row_counts
from giftcards.verification.verification import discrepancies
from kit.messages.webhooks.endpoints.signing_secrets import is_readable
from kit.messages.webhooks.models import WebhookAddress
from orders.invoices.printing import files as invoice_files
from pictures.models import Picture
from pictures.names import file_name
from pictures.states import PictureStatus
from pictures.stored_files import stored_names


def different_rows(expected: Mapping[str, int]) -> list[str]:
    """A sentence for each table that does not have as many rows as the manifest says. Before migrations."""
    found = row_counts()
    return [
        f"The table {table} has {found.get(table, 0)} rows, and had {count}"
        for table, count in expected.items()
        if found.get(table, 0) != count
    ]


def problems() -> Iterator[str]:
    """A sentence for each: the ledger and its triggers, those of the search, pictures, PDFs, and webhook secrets."""
    yield from discrepancies()
    for name in search.missing(connection):
        yield f"The trigger {name} is missing"
    stored = set(stored_names())
    ready = Picture.objects.filter(status=PictureStatus.READY).values_list("digest", flat=True)
    for digest in ready.iterator():
        if file_name(digest) not in stored:
            yield f"The picture {file_name(digest)} is missing"
    yield from invoice_files.lost()
    for address in WebhookAddress.objects.not_deleted():
        secrets = (address.sealed_secret, address.sealed_former_secret)  # the former one may be empty
        if not all(is_readable(sealed) for sealed in secrets if sealed):
            yield f"The secret of {address.url} cannot be decrypted: run `manage.py webhooks rotate {address.pk}`"
