"""The column of search entries that is indexed, and the lookups that ask its indexes."""

from typing import ClassVar

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.sql.compiler import SQLCompiler

Sql = tuple[str, tuple[str | int, ...]]
"""A part of a statement, and its parameters."""


class TermsField(models.TextField[str, str]):
    """The indexed terms of an entry (queries.py). Each table of entries has a subclass that names its `index`.

    index: on SQLite, the FTS5 table over the column, by the entry's `id`.
    """

    index: ClassVar[str]

    def db_type(self, connection: BaseDatabaseWrapper) -> str | None:
        return "tsvector" if connection.vendor == "postgresql" else super().db_type(connection)


@TermsField.register_lookup
class Matches(models.Lookup[str]):
    """`terms__matches=…`: a query of the index, in the database's own syntax."""

    lookup_name = "matches"
    prepare_rhs = False

    def as_postgresql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> Sql:
        """Put the query into a subselect, so that the planner cannot see its words.

        For frequent words it would scan the table and unpack every vector; this way it uses the index.
        """
        terms, parameters = self.process_lhs(compiler, connection)
        return f"{terms} @@ (SELECT %s::tsquery)", (*parameters, self.rhs)

    def as_sqlite(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: object) -> Sql:
        terms, parameters = self.process_lhs(compiler, connection)
        key = terms.rpartition(".")[0] + '."id"'
        index = self.lhs.output_field.index
        return f"{key} IN (SELECT rowid FROM {index} WHERE {index} MATCH %s)", (*parameters, self.rhs)  # noqa: S608 - a name of our own


@TermsField.register_lookup
class Ends(models.Lookup[str]):
    """`terms__ends=…`: whether the entry has these one or two letters before an @. Only on PostgreSQL.

    Their index is over `marked`, of which they are a part. Hidden from the planner like the query of Matches.
    """

    lookup_name = "ends"
    prepare_rhs = False

    def as_postgresql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> Sql:
        terms, parameters = self.process_lhs(compiler, connection)
        marked = terms.rpartition(".")[0] + '."marked"'
        return f"catalog_search_ends({marked}) @> (SELECT ARRAY[%s])", (*parameters, self.rhs)
