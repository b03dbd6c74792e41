"""Reads for tests: a serializer class and a `fields` text in, plain JSON values out."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import orjson
from django.db import connection
from django.test.utils import CaptureQueriesContext

from kit.domain.actor import Actor
from kit.query.paging import Page
from kit.reads.declarations.fields import ResourceSerializerClass
from kit.reads.declarations.shapes import shape_of
from kit.reads.filters.field_sets import FieldSet
from kit.reads.reading import ListQuery, read_one, read_page

SHOPPER = Actor(type="anonymous")


def rows(
    serializer_class: ResourceSerializerClass, fields: str | None = None, *, actor: Actor = SHOPPER, **query: Any
) -> list[dict[str, Any]]:
    """The resource's rows, each as the JSON that a caller would get; a thousand at most."""
    return page(serializer_class, fields, actor=actor, **query)[0]


def page(
    serializer_class: ResourceSerializerClass, fields: str | None = None, *, actor: Actor = SHOPPER, **query: Any
) -> tuple[list[dict[str, Any]], int]:
    """The rows of a page and the count of all."""
    listed = read_page(serializer_class, _query(serializer_class, fields, **query), actor)
    return orjson.loads(orjson.dumps(listed.answers)), listed.count


def one(
    serializer_class: ResourceSerializerClass,
    id: str,
    fields: str | None = None,
    *,
    actor: Actor = SHOPPER,
    **query: Any,
) -> Any:
    """The row of that id as JSON, or None."""
    return orjson.loads(orjson.dumps(read_one(serializer_class, id, _query(serializer_class, fields, **query), actor)))


def _query(serializer_class: ResourceSerializerClass, fields: str | None, **query: Any) -> ListQuery:
    selection = FieldSet(shape_of(serializer_class)).parse(fields)
    return ListQuery(selection, **{"page": Page(limit=1000), **query})


@contextmanager
def statements(expected: int) -> Iterator[CaptureQueriesContext]:
    """Fails unless the block runs exactly so many statements."""
    with CaptureQueriesContext(connection) as captured:
        yield captured
    texts = [query["sql"] for query in captured.captured_queries]
    assert len(texts) == expected, "\n".join(texts)
