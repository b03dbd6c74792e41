"""Who made rows that keep the id of a member of staff in `created_by`."""

from typing import Any, TypeVar

from django.db.models import Model, OuterRef, QuerySet, Subquery

from commerce.staff.models import User

Row = TypeVar("Row", bound=Model)


def with_author(rows: QuerySet[Row]) -> QuerySet[Row]:
    """The rows with what `author` reads, in the same statement."""
    staff = User.objects.filter(pk=OuterRef("created_by"))
    annotated: QuerySet[Any] = rows.annotate(author_email=Subquery(staff.values("email")[:1]))
    return annotated


def author(row: Any) -> str:
    """The e-mail of the member of staff, the id of one who is gone, "" where no person did it."""
    return row.author_email or row.created_by or ""
