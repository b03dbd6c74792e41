"""The base of all models: timestamps, soft deletion, and querysets that know what their caller may see."""

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from django.db import models

from kit.derived.kept_counts import KeptCounts, KeptRangeCounts
from kit.domain.actor import Actor
from kit.search.documents import DocumentQuerySet
from kit.values import timestamps
from kit.values.text import is_storable

NOT_DELETED = models.Q(deleted_at=None)


def unique_unless_deleted(*fields: str, name: str) -> models.UniqueConstraint:
    """A unique constraint on these fields of rows that are not soft-deleted."""
    return models.UniqueConstraint(fields=fields, condition=NOT_DELETED, name=name)


class ResourceQuerySet(DocumentQuerySet):
    """Rows of a resource. Callers read them only through `visible_to`."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """The rows the actor may see; with_deleted adds soft-deleted ones, and only those.

        A model's own rule may depend on the actor's type, id and sales channels only, and for trusted actors on
        permissions: compiled statements are kept per shape of these (kit/reads).
        """
        raise NotImplementedError(f"{self.model.__name__} declares no visible_to")

    def visible_within(self, actor: Actor, bounds: Mapping[str, object], *, with_deleted: bool = False) -> Self:
        """Like visible_to, for rows whose ids meet the bounds, such as `{"gt": id}`; others may be left out or not.

        A rule that looks into another table by this id can bound it there, too: PostgreSQL, which may read both tables
        in the order of the ids, would pass over the other one's rows before the first id.
        """
        return self.visible_to(actor, with_deleted=with_deleted)

    def kept_counts(self, actor: Actor, *, with_deleted: bool) -> "models.QuerySet[KeptCounts] | None":
        """Kept counts whose sum is the number of rows that the actor may see; None if the rows have to be counted."""
        return None

    def kept_range_counts(self, actor: Actor, *, with_deleted: bool) -> "models.QuerySet[KeptRangeCounts] | None":
        """Like kept_counts, by ranges of values."""
        return None

    def listed(self, actor: Actor, *, with_deleted: bool) -> "models.QuerySet[Any] | None":
        """The rows that the actor may see, from a narrow table with a row for each of them; None if there is none.

        Its columns have the names and values of these rows' columns, `id` among them.
        """
        return None

    def listed_by(self, relation: str, actor: Actor, *, with_deleted: bool) -> "models.QuerySet[Any] | None":
        """Like `listed`, from a table with a row for each pair of a row and its group; None if there is none.

        Groups are the rows of the relation, such as tags; `group_id` is the id of one.
        """
        return None

    def not_deleted(self) -> Self:
        """Rows that are not soft deleted."""
        return self.filter(deleted_at=None)

    def with_id(self, value: str) -> Any | None:
        """The row with that id, or None, also for text that no database can store."""
        return self.filter(pk=value).first() if is_storable(value) else None


class PublicQuerySet(ResourceQuerySet):
    """Rows that everybody may see."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """All rows that are not deleted, for everybody."""
        return self if with_deleted else self.not_deleted()


class BackOfficeQuerySet(ResourceQuerySet):
    """Rows that only staff may see."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """All rows for staff, none for others."""
        rows = self if with_deleted else self.not_deleted()
        return rows if actor.is_trusted else rows.none()


class BaseModel(models.Model):
    """Timestamps and soft deletion. Subclasses declare `id = IdField(prefix=…)` and a manager with visible_to."""

    event_name: ClassVar[str] = ""
    """The name of rows in events: `product` makes product.created, product.updated and product.deleted."""
    event_reference: ClassVar[str] = ""
    """A foreign key whose ids these events also list."""
    touches: ClassVar[tuple[str, ...]] = ()
    """Relations to rows whose responses show this one: a change moves the `updated_at` of the first that is set."""

    created_at = timestamps.TimestampField(default=timestamps.now, editable=False)
    updated_at = timestamps.TimestampField(auto_now=True)
    deleted_at = timestamps.TimestampField(null=True, blank=True, editable=False)

    class Meta:
        abstract = True
