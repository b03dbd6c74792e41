"""The newest entries of an account, shown below its screen."""

from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse

from giftcards.admin.purposes import purposes, reference_of
from giftcards.models import Transaction
from kit.admin.lists.amounts import shown
from kit.values.shown_dates import shown_moment
from staff.authors import author, with_author

MAX_ENTRIES = 20


@dataclass(frozen=True)
class NewestEntries:
    """rows: cells of text, newest entry first. address: of the list of all entries, for users who may open it."""

    headers: tuple[str, ...]
    rows: list[tuple[str, ...]]
    address: str | None


def newest_entries(request: HttpRequest, account_id: str) -> NewestEntries:
    """The newest MAX_ENTRIES entries; one statement, and those of what they are for."""
    everything = f"{reverse('admin:giftcards_transaction_changelist')}?group__account__id__exact={account_id}"
    entries = with_author(Transaction.objects.filter(group__account=account_id))
    newest = list(entries.select_related("group__account").order_by("-pk")[:MAX_ENTRIES])
    texts = purposes(request, newest)
    return NewestEntries(
        headers=("When", "Type", "Amount", "For", "Note", "By"),
        rows=[_cells(entry, texts[reference_of(entry)]) for entry in newest],
        address=everything if request.user.has_perm("giftcards.view_transaction") else None,
    )


def _cells(entry: Transaction, purpose: str) -> tuple[str, ...]:
    return (
        shown_moment(entry.created_at),
        entry.type,
        shown(entry.amount, entry.group.account.currency_id),
        purpose,
        entry.note or "",
        author(entry),
    )
