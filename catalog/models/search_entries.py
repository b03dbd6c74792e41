"""Search entries of products: the text of a product and its variants."""

from typing import Any, ClassVar

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Q
from django.db.models.sql.compiler import SQLCompiler

from catalog.models.products import Product
from commerce.kit.core.actor import Actor

Sql = tuple[str, tuple[str | int, ...]]
"""A part of a statement, and its parameters."""


class TermsField(models.TextField[str, str]):
    """The indexed terms of an entry (commerce/kit/core/search/queries.py)."""

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
        found = "SELECT rowid FROM catalog_product_fts WHERE catalog_product_fts MATCH %s"
        return f"{key} IN ({found})", (*parameters, self.rhs)


class IdsField(models.TextField[str, str]):
    """Ids, with a space before and after each."""


@IdsField.register_lookup
class Lists(models.Lookup[str]):
    """`channels__lists=…`: whether the field contains the id."""

    lookup_name = "lists"
    prepare_rhs = False

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> Sql:
        ids, parameters = self.process_lhs(compiler, connection)
        found = "instr" if connection.vendor == "sqlite" else "strpos"
        return f"{found}({ids}, ' ' || %s || ' ') > 0", (*parameters, self.rhs)


class ProductSearchQuerySet(models.QuerySet["ProductSearch"]):
    """Search entries, which store whether the store shows their products."""

    def seen_by(self, actor: Actor, *, with_deleted: bool) -> "ProductSearchQuerySet | None":
        """The entries of the products that the actor may see; None where entries cannot decide, as with_deleted."""
        if with_deleted or actor.may("catalog.view_product"):
            return None
        sold = [Q(channels__lists=channel) for channel in actor.sales_channel_ids]
        return self.filter(Q(*sold, _connector=Q.OR), is_shown=True) if sold else self.none()


class ProductSearch(models.Model):
    """The search entry of a product. Only triggers write it (catalog/search/).

    terms, marked: what a search compares (commerce/kit/core/search/queries.py). is_shown: whether the product is
    published and not deleted. channels: the ids of its sales channels.
    """

    product = models.OneToOneField(Product, on_delete=models.CASCADE, related_name="search")
    terms = TermsField(editable=False)
    marked = models.TextField(editable=False)
    is_shown = models.BooleanField(editable=False)
    channels = IdsField(editable=False)

    objects: ClassVar[Any] = ProductSearchQuerySet.as_manager()

    def __str__(self) -> str:
        return str(self.product_id)
