"""Rows with a column that search compares, written together with the columns from which it is built."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.core.exceptions import FieldDoesNotExist
from django.db import models, transaction

from kit.search.text import ranked_document

DOCUMENT = "document"
"""The name of the column."""


class DocumentField(models.TextField[str, str]):
    """The row's search document, computed from other columns whenever the row is written.

    columns: the names of those columns, the title first. codes: those that are codes, such as SKUs. code_rows: the
    relation to rows whose documents have the row's other codes.
    """

    def __init__(
        self,
        *args: Any,
        columns: Sequence[str] = (),
        codes: Sequence[str] = (),
        code_rows: str | None = None,
        **kwargs: Any,
    ) -> None:
        self.columns, self.codes, self.code_rows = tuple(columns), tuple(codes), code_rows
        kwargs.update(editable=False, default="")
        super().__init__(*args, **kwargs)

    def deconstruct(self) -> tuple[str, str, Sequence[object], dict[str, object]]:
        name, path, args, kwargs = super().deconstruct()
        for derived in ("editable", "default"):
            del kwargs[derived]
        coded = {"codes": self.codes} if self.codes else {}
        return name, path, args, {**kwargs, "columns": self.columns, **coded}

    def built(self, texts: Sequence[str | None]) -> str:
        """The document of a row with these texts in its columns."""
        return ranked_document(
            texts, [text for name, text in zip(self.columns, texts, strict=True) if name in self.codes]
        )

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        fresh = self.built([getattr(model_instance, column) for column in self.columns])
        setattr(model_instance, self.attname, fresh)
        return fresh


def document_field(model: type[models.Model]) -> DocumentField | None:
    """The field of the model's document; None if it has none."""
    try:
        field = model._meta.get_field(DOCUMENT)
    except FieldDoesNotExist:
        return None
    return field if isinstance(field, DocumentField) else None


def columns_of(model: type[models.Model]) -> tuple[str, ...]:
    """The columns from which the model's document is built; none if it has no document."""
    field = document_field(model)
    return field.columns if field else ()


def with_document(model: type[models.Model], names: Iterable[str]) -> list[str]:
    """The names of columns to be written, and the document's if they change it."""
    given = list(names)
    is_due = DOCUMENT not in given and not set(columns_of(model)).isdisjoint(given)
    return [*given, DOCUMENT] if is_due else given


class DocumentQuerySet(models.QuerySet[Any]):
    """Bulk writes that also update the documents of models that have one."""

    def bulk_create(self, objs: Any, *args: Any, **kwargs: Any) -> list[Any]:
        if kwargs.get("update_fields") is not None:
            kwargs["update_fields"] = with_document(self.model, kwargs["update_fields"])
        return super().bulk_create(objs, *args, **kwargs)

    def bulk_update(self, objs: Any, fields: Iterable[str], *args: Any, **kwargs: Any) -> int:
        rows, names = list(objs), with_document(self.model, fields)
        if DOCUMENT in names:
            field = self.model._meta.get_field(DOCUMENT)
            for row in rows:
                field.pre_save(row, False)
        return super().bulk_update(rows, names, *args, **kwargs)

    def update(self, **kwargs: Any) -> int:
        """If documents depend on the columns, read the rows back and write their documents too."""
        if with_document(self.model, kwargs) == [*kwargs]:
            return super().update(**kwargs)
        with transaction.atomic(using=self.db):
            keys = list(self.values_list("pk", flat=True))
            changed = super().update(**kwargs)
            rows = self.model._default_manager.using(self.db)
            rows.bulk_update(rows.filter(pk__in=keys), [DOCUMENT], batch_size=100)
        return changed


class Documented(models.Model):
    """A row with a document. Subclasses declare `document = DocumentField(columns=…)`."""

    class Meta:
        abstract = True

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **kwargs: Any) -> None:
        names = None if update_fields is None else with_document(type(self), update_fields)
        super().save(*args, update_fields=names, **kwargs)
