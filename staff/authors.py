"""The staff user whose id is in a row's `created_by`."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django.db.models import Model, OuterRef, QuerySet, Subquery

from staff.models import User

Row = TypeVar("Row", bound=Model)
FORMER = "a former member of staff"


def with_author(rows: QuerySet[Row]) -> QuerySet[Row]:
    """The rows, annotated with the email that `author` reads."""
    staff = User.objects.filter(pk=OuterRef("created_by"))
    annotated: QuerySet[Any] = rows.annotate(author_email=Subquery(staff.values("email")[:1]))
    return annotated


def author(row: Any) -> str:
    """The staff user's email, the id if the user no longer exists, or "" if no user created the row."""
    return row.author_email or row.created_by or ""


def author_names(ids: Iterable[str | None]) -> Callable[[str | None], str]:
    """A function that returns the name of each of these staff users; "" for None. One statement.

    A user without a name is shown by email address.
    """
    wanted = {user_id for user_id in ids if user_id is not None}
    names = {user.pk: user.get_full_name() for user in User.objects.filter(pk__in=wanted)} if wanted else {}
    return lambda user_id: "" if user_id is None else names.get(user_id, FORMER)
