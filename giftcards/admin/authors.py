"""Who made an entry."""

from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from commerce.staff.models import User
from giftcards.models import Transaction


def with_author(entries: QuerySet[Transaction]) -> QuerySet[Any]:
    """The entries with what `author` reads, in the same statement."""
    staff = User.objects.filter(pk=OuterRef("created_by"))
    return entries.annotate(author_email=Subquery(staff.values("email")[:1]))


def author(entry: Any) -> str:
    """The e-mail of the member of staff, the id of one who is gone, "" where no person did it."""
    return entry.author_email or entry.created_by or ""
