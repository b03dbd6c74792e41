"""Puts recorded statements into words: the SQL, and the declarations that made it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import sqlparse
from django.apps import apps

from commerce.operations.explaining.places import attribute, constant, declared
from commerce.operations.explaining.recording import LevelRead, Ran
from kit.domain.base_model import ResourceQuerySet
from kit.query.selection import Selection
from kit.reads.plans.plan import compile_plan
from kit.rest.reads import List
from kit.search.ranking import Relevance

Line = tuple[str, str, str]
"""What a declaration made, its name, its place."""


def explanation(ran: Ran, of_list: Sequence[Line]) -> str:
    """The statement and its declarations. of_list: the filters and the order of the route's list."""
    read, (name, place) = ran.level_read, ran.run_by
    lines: list[Line] = []
    if read and read.cell:
        lines = list(_lines_of_cell(read))
    elif read:
        lines = [*_lines_of_level(read), *(() if read.joins else of_list)]
    sql = sqlparse.format(ran.sql.strip(), reindent=True).replace("\n", "\n    ")
    return f"{_title(read)}: {name}, {place}\n\n    {sql}\n\n{table([*lines, *_lines_of_tables(ran.sql)])}"


def table(lines: Sequence[Line]) -> str:
    """The lines, in columns."""
    made, names = (max((len(line[column]) for line in lines), default=0) for column in (0, 1))
    return "\n".join(f"{line[0]:{made}}  {line[1]:{names}}  {line[2]}" for line in lines)


def lines_of_list(endpoint: type[List], query: str) -> list[Line]:
    """The filters that the query string names, those within $and and $or too, and the order."""
    resource, parameters = endpoint.resource, endpoint.parameters(query)
    filters = resource.filterset_class.base_filters
    names = [name for name in dict.fromkeys(_names(parameters)) if name in filters]
    lines = [(f"filter {name}", *attribute(resource.filterset_class, name, filters[name])) for name in names]
    order = parameters.get("order") or resource.default_order or "id"
    if isinstance(endpoint.list_query(query).order.key, Relevance):
        order = "relevance"
    return [*lines, (f"order {order}", *constant(resource))]


def _names(parameters: Mapping[str, Any]) -> Iterator[str]:
    for name, value in parameters.items():
        yield name
        for below in value if name in ("$and", "$or") else ():
            yield from _names(below)


def _title(read: LevelRead | None) -> str:
    if read is None:
        return "Around the read"
    path = [join.name for join in read.joins] + list(read.cell.names[:1] if read.cell else ())
    return ".".join(path) if path else f"{read.level.model.__name__}, {read.part}"


def _lines_of_cell(read: LevelRead) -> Iterator[Line]:
    """The fields that one call computes for all rows, and that call."""
    assert read.cell is not None  # noqa: S101 - the caller has looked
    for name in read.cell.names:
        yield f"field {name}", *attribute(read.serializer_class, name, read.serializer_class._declared_fields[name])
    yield "computed by", *declared(read.cell.load)


def _lines_of_level(read: LevelRead) -> Iterator[Line]:
    """The relation, the columns, and the rule for visible rows. Columns without a field join and sort the relation."""
    serializer_class, selection = read.serializer_class, read.selection
    relation = attribute(read.holder, read.joins[-1].name, read.joins[-1].relation) if read.holder else ("", "")
    if read.holder:
        yield "relation", *relation
    alone = {name: Selection((name,)) for name in selection.scalars}
    alone |= {name: Selection((), ((name, below),)) for name, below in selection.relations}
    widened, with_deleted = frozenset() if read.joins else read.query.widened, read.query.with_deleted
    fields = [
        (
            attribute(serializer_class, name, serializer_class._declared_fields[name]),
            compile_plan(serializer_class, only, widened & {name}, with_deleted=with_deleted).columns,
        )
        for name, only in alone.items()
    ]
    for column in read.level.columns:
        for field in [field for field, columns in fields if column in columns] or [relation]:
            yield f"column {column if isinstance(column, str) else type(column).__name__}", *field
    manager = read.level.model.objects  # type: ignore[attr-defined]
    rows = next(type(each) for each in (manager.all(), manager) if hasattr(each, "visible_within"))
    is_bounded = rows.visible_within is not ResourceQuerySet.visible_within
    yield "visible rows", *declared(rows.visible_within if is_bounded else rows.visible_to)


def _lines_of_tables(sql: str) -> Iterator[Line]:
    """The tables, with their models; pairs of rows with the model that owns them."""
    words = set(re.findall(r"\w+", sql))
    for model in apps.get_models(include_auto_created=True):
        if model._meta.managed and model._meta.db_table in words:
            yield f"table {model._meta.db_table}", *declared(model._meta.auto_created or model)
