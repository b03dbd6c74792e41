"""Lists in the order of relevance: the best matches of their search first."""

from collections.abc import Callable

from django.db import connection
from django.db.models import F, IntegerField
from django.db.models.expressions import Combinable, Func, Value

from kit.errors import InvalidData
from kit.query.conditions import Condition, Is, parts_of
from kit.query.paging import Order
from kit.reads.declarations.sorting import SortKey
from kit.reads.sql.statements import array
from kit.search.conditions import has_words
from kit.search.ranking import Relevance, relevance, searched_words

RELEVANCE = "relevance"
"""What `order` calls it."""


def ranked_order(order: Order, condition: Condition) -> Order:
    """By relevance where the condition searches for words; otherwise the given order.

    Raises InvalidData if relevance was asked for without a search.
    """
    words = searched_words(condition)
    if words:
        return Order(relevance(words))
    if order.key == RELEVANCE:
        raise InvalidData(f"Order field {RELEVANCE} needs the field 'q'")
    return order


def split_order(order: Order) -> tuple[Order, list[str]]:
    """The order without the words that it ranks by, and these."""
    if not isinstance(order.key, Relevance):
        return order, []
    texts = [order.key.title, *(text for word in order.key.words for text in word)]
    return Order(Relevance("", (("", ""),) * len(order.key.words))), texts


def with_markers(order: Order, marker: Callable[[], str]) -> Order:
    """The order with markers in place of the words, in the order of split_order."""
    if not isinstance(order.key, Relevance):
        return order
    return Order(Relevance(marker(), tuple((marker(), marker()) for _ in order.key.words)))


def engine_order(order: Order, answered: Condition) -> Order:
    """The order of the ids that a search engine has found, if one has answered: its best come first."""
    if not isinstance(order.key, Relevance) or has_words(answered):
        return order
    found = next((part.value for part in parts_of(answered) if isinstance(part, Is) and part.lookup == "pk__in"), ())
    return Order(SortKey(_place_among(found)))


def _place_among(keys: tuple[str, ...]) -> Combinable:
    """The place of a row's key among the keys."""
    if connection.vendor == "sqlite":
        template, joint = "(SELECT key FROM json_each(%(expressions)s)", ") WHERE value = "
    else:
        template, joint = "array_position(CAST(%(expressions)s)", " AS text[]), "
    return Func(Value(array(keys)), F("pk"), template=template, arg_joiner=joint, output_field=IntegerField())
