"""Lists in the order of relevance: the best matches of their search first."""

from collections.abc import Callable
from dataclasses import fields

from django.db import connection
from django.db.models import F, IntegerField
from django.db.models.expressions import Combinable, Func, Value

from kit.errors import InvalidData
from kit.query.conditions import Condition, Is, parts_of
from kit.query.paging import Order
from kit.reads.declarations.sorting import SortKey
from kit.reads.sql.statements import array
from kit.search.conditions import has_words
from kit.search.ranking import RankedWord, Relevance, relevance, searched_words

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
    """The order without the patterns that it ranks by, and these."""
    if not isinstance(order.key, Relevance):
        return order, []
    patterns: list[str] = []

    def emptied(pattern: str) -> str:
        patterns.append(pattern)
        return ""

    return _mapped(order.key, emptied), patterns


def with_markers(order: Order, marker: Callable[[], str]) -> Order:
    """The order with markers in place of its patterns, in the order of split_order."""
    return _mapped(order.key, lambda _: marker()) if isinstance(order.key, Relevance) else order


def _mapped(by: Relevance, change: Callable[[str], str]) -> Order:
    same, begins = change(by.same), change(by.begins)
    words = (RankedWord(*(change(getattr(word, each.name)) for each in fields(word))) for word in by.words)
    return Order(Relevance(same, begins, tuple(words)))


def engine_order(order: Order, answered: Condition) -> Order:
    """The order of the ids that a search engine has found, if one has answered: its best come first."""
    if not isinstance(order.key, Relevance) or has_words(answered):
        return order
    keys = next((part.value for part in parts_of(answered) if isinstance(part, Is) and part.lookup == "pk__in"), ())
    return Order(SortKey(_place_among(keys)))


def _place_among(keys: tuple[str, ...]) -> Combinable:
    """The place of a row's key among the keys."""
    if connection.vendor == "sqlite":
        template, joint = "(SELECT key FROM json_each(%(expressions)s)", ") WHERE value = "
    else:
        template, joint = "array_position(CAST(%(expressions)s)", " AS text[]), "
    return Func(Value(array(keys)), F("pk"), template=template, arg_joiner=joint, output_field=IntegerField())
