"""Search entries of products: the text of a product and its variants."""

from typing import Any, ClassVar

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Q
from django.db.models.sql.compiler import SQLCompiler

from catalog.models.products import Product
from kit.domain.actor import Actor
from kit.search import terms
from kit.search.terms import Sql


class TermsField(terms.TermsField):
    """The terms of products."""

    index = "catalog_product_fts"


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
        """The entries of the products that the actor may see; None for staff, who see all."""
        if actor.may("catalog.view_product"):
            return None
        shown = Q(is_shown=True)
        if with_deleted:  # few, and an index finds them
            deleted = Product.objects.visible_to(actor, with_deleted=True).filter(deleted_at__isnull=False)
            shown |= Q(product__in=deleted.values("pk"))
        sold = [Q(channels__lists=channel) for channel in actor.sales_channel_ids]
        return self.filter(Q(*sold, _connector=Q.OR), shown) if sold else self.none()


class ProductSearch(models.Model):
    """The search entry of a product. Only triggers write it (catalog/search/).

    terms, marked: what a search compares (kit/search/queries.py). is_shown: whether the product is
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
