"""Rows that other rows refer to, and that therefore cannot be deleted."""

from collections.abc import Sequence

from django.db import models
from django.utils.text import capfirst

from kit.errors import NotAllowed, listed


class RowInUse(NotAllowed):
    """Other rows refer to the row. users: the first of them."""

    def __init__(self, row: models.Model, users: Sequence[models.Model]) -> None:
        meta, of_users = row._meta, users[0]._meta
        noun = of_users.verbose_name if len(users) == 1 else of_users.verbose_name_plural
        super().__init__(f"{capfirst(meta.verbose_name)} '{row}' is in use by the {noun} {listed(map(str, users))}")


def require_unused(rows: Sequence[models.Model], users: models.QuerySet[models.Model], field: str) -> None:
    """Raise RowInUse if one of `users` refers to one of the rows by that field. One statement."""
    by_id = {row.pk: row for row in rows}
    first = list(users.filter(**{f"{field}__in": by_id}).order_by(field, "pk")[:10])
    if first:
        used = getattr(first[0], f"{field}_id")
        raise RowInUse(by_id[used], [user for user in first if getattr(user, f"{field}_id") == used])
