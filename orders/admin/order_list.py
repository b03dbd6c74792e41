"""The list of orders: their open tasks, and the search."""

from typing import Any

from django.db.models import Case, Q, QuerySet, When
from django.http import HttpRequest

from kit.admin.lists.linked_rows import LinkedList
from kit.query.conditions import as_q
from kit.search.conditions import answerable
from kit.values.text import whole_number
from orders.admin.columns import with_items
from orders.admin.to_do import tasks_of
from orders.common.search.searching import searched
from orders.models import Order

_ID_PREFIXES = {"order_": "pk", "cart_": "cart_id", "cus_": "customer_id"}


class OrderList(LinkedList):
    """Reads the open tasks of only the orders on the page. One statement."""

    def get_queryset(self, request: HttpRequest, **kwargs: Any) -> QuerySet[Order]:
        return with_items(super().get_queryset(request, **kwargs))

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        tasks = tasks_of(row.pk for row in self.result_list)
        for row in self.result_list:
            row.tasks = tasks[row.pk]


def found_orders(rows: QuerySet[Order], search_term: str) -> QuerySet[Order]:
    """The orders in which all words are found. `#7` matches only the order with that number, an id only that row."""
    texts = []
    for word in search_term.split():
        condition = _exact(word)
        if condition is None:
            texts.append(word)
        else:
            rows = rows.filter(condition)
    return rows.filter(as_q(answerable(searched(" ".join(texts)), Order, QuerySet), Order, QuerySet))


def numbered_first(rows: QuerySet[Order], search_term: str) -> QuerySet[Order]:
    """The rows with the order first whose number was searched for: phones, postal codes and SKUs have digits, too."""
    number = whole_number(search_term.strip())
    if number is None:
        return rows
    return rows.order_by(Case(When(display_id=number, then=0), default=1), *rows.query.order_by)


def _exact(word: str) -> Q | None:
    number = word.removeprefix("#")
    if word != number and number.isascii() and number.isdecimal():
        found = whole_number(number)
        return Q(pk__in=()) if found is None else Q(display_id=found)
    return next((Q(**{column: word}) for prefix, column in _ID_PREFIXES.items() if word.startswith(prefix)), None)
