"""The staff user whose id is in a row's `created_by`."""

from typing import Any, TypeVar

from django.db.models import Model, OuterRef, QuerySet, Subquery

from commerce.staff.models import User

Row = TypeVar("Row", bound=Model)


def with_author(rows: QuerySet[Row]) -> QuerySet[Row]:
    """The rows, annotated with the e-mail that `author` reads."""
    staff = User.objects.filter(pk=OuterRef("created_by"))
    annotated: QuerySet[Any] = rows.annotate(author_email=Subquery(staff.values("email")[:1]))
    return annotated


def author(row: Any) -> str:
    """The staff user's e-mail, the id if the user no longer exists, or "" if no user created the row."""
    return row.author_email or row.created_by or ""
