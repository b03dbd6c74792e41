"""The search above the list of products, in pickers and in the palette: by the search entries (catalog/search).

PostgreSQL underestimates the matches of a frequent word, and would look each of them up. So entries are counted first;
above FREQUENT, rows are tested in the order of the list until the page is full, and the first of them are ranked.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.db import connection
from django.db.models import BooleanField, ExpressionWrapper, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import cached_property

from catalog.models import Product, ProductSearch
from kit.admin.base_admin import BaseAdmin
from kit.admin.lists.linked_rows import LinkedList
from kit.admin.lists.word_search import RankedRows, best_first, best_of_first, is_sorted
from kit.query.conditions import as_q
from kit.search.conditions import entry_condition
from kit.search.text import words_of

FREQUENT = 5000
"""With more matches than this, rows are tested one by one."""
_ID = re.compile(r"prod_\w{26}")
_SEARCH = "commerce.product_search"


@dataclass(frozen=True, slots=True)
class FrequentSearch:
    """A search with more than FREQUENT matches.

    number: how many entries match. rows: those of the list with its filters, before the search. term: what was typed.
    """

    entries: "QuerySet[ProductSearch]"
    number: int
    rows: "QuerySet[Product]"
    term: str

    def tested(self, rows: "QuerySet[Product]") -> "QuerySet[Product]":
        """The rows that are found, each tested by its own entry."""
        entry = self.entries.filter(product=OuterRef("pk")).values("product")
        return rows.alias(entry=Subquery(entry[:1])).filter(entry__isnull=False)

    def count(self, not_deleted: "QuerySet[Product]") -> int:
        """How many of the rows are found. not_deleted: all products of the list without a filter.

        Without other filters: all matches minus the deleted ones, which are usually few. Otherwise the rows are
        compared with all matches in a hash table.
        """
        deleted = Product.objects.exclude(deleted_at=None)
        if self.rows.query.where == not_deleted.query.where and not deleted.order_by()[FREQUENT : FREQUENT + 1]:
            return self.number - self.tested(deleted).count()
        is_found = ExpressionWrapper(Q(pk__in=self.entries.values("product")), BooleanField())
        return (
            self.rows.order_by()
            .alias(is_found=Coalesce(is_found, False))
            .filter(is_found=True)
            .values("pk")
            .distinct()
            .count()
        )


class SearchPaginator(Paginator["Product"]):
    """Counts by FrequentSearch.count."""

    def __init__(self, search: FrequentSearch, not_deleted: "QuerySet[Product]", *args: Any) -> None:
        super().__init__(*args)
        self._search, self._not_deleted = search, not_deleted

    @cached_property
    def count(self) -> int:
        return self._search.count(self._not_deleted)


class ProductList(LinkedList):
    """Takes the rows of a list of one page from the paginator, too."""

    def rows_of_page(self) -> Iterable[Product]:
        rows: Any = self.paginator.object_list
        is_ranked = not self.multi_page and isinstance(rows, RankedRows)
        return rows[0 : self.list_per_page] if is_ranked else super().rows_of_page()


def search(
    screen: BaseAdmin[Product], request: HttpRequest, queryset: "QuerySet[Product]", search_term: str
) -> "tuple[QuerySet[Product], bool]":
    """Find products as `q` of the API does, by title, handle, description and codes of variants; and by id."""
    word = search_term.strip()
    if _ID.fullmatch(word):
        return queryset.filter(pk=word), False
    words = words_of(search_term)
    if not words:
        return queryset, False
    entries = ProductSearch.objects.filter(as_q(entry_condition(words), ProductSearch, QuerySet))
    number = 0 if connection.vendor == "sqlite" else entries.count()
    if number <= FREQUENT:
        return best_first(request, queryset.filter(pk__in=entries.values("product")), search_term), False
    search = FrequentSearch(entries, number, queryset, search_term)
    found = search.tested(queryset)
    if request.path != reverse("admin:catalog_product_changelist"):
        return best_of_first(found, search_term), False
    request.META[_SEARCH] = search
    return found, False


def get_paginator(
    screen: BaseAdmin[Product],
    request: HttpRequest,
    queryset: "QuerySet[Product]",
    per_page: int,
    *args: Any,
    **kwargs: Any,
) -> "Paginator[Product]":
    """The pages of the list; those of a frequent word are not all counted."""
    search: FrequentSearch | None = request.META.get(_SEARCH)
    if search is None:
        usual: Paginator[Product] = BaseAdmin.get_paginator(screen, request, queryset, per_page, *args, **kwargs)
        return usual
    not_deleted = screen.get_queryset(request).filter(deleted_at__isnull=True)
    rows = queryset if is_sorted(request) else RankedRows(queryset, search.term)
    return SearchPaginator(search, not_deleted, rows, per_page, *args)
