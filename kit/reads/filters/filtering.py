"""A route's filters together: parameters joined by AND, with $and and $or inside, bounded, as one Condition.

A FilterSet (django-filter) declares a route's filters once. Values are cleaned filter by filter; no form is built.
Why: docs/decisions/http.md#unknown-fields-and-parameters-are-refused.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import django_filters

from kit.errors import shown
from kit.query.conditions import EVERYTHING, Condition, Either, Every, Is, lookups, most_words
from kit.reads.filters.filters import DateFilter, OneTextFilter, Refused, ResourceFilter
from kit.reads.filters.framework_hooks import ignored, refuse_hooks
from kit.reads.filters.id_filter import IdFilter

_FORM = "parse makes the condition; declare a ResourceFilter for each parameter"
_DECLARED = "declare each filter by name: callers rely on every one"
_HOOKS = {
    **dict.fromkeys(("Meta", "get_fields", "get_filter_name", "filter_for_field", "filter_for_lookup"), _DECLARED),
    **dict.fromkeys(("FILTER_DEFAULTS", "handle_unrecognized_field"), _DECLARED),
    **dict.fromkeys(("filter_queryset", "qs", "form", "get_form_class", "is_valid", "errors", "get_filters"), _FORM),
}
MAX_NESTING = 4
MAX_LEAVES = 50
MAX_VALUES = 1000
"""Values in all lists of one request: a statement of SQLite takes some 32,000, and a page's stand in it twice."""
MAX_WORDS = 8
"""Words in all searches of one request or GraphQL document: each costs as much as reading all its matches."""


@dataclass(slots=True)
class Searching:
    """How many words may still be searched for; the searches of one request share one, and so of a GraphQL document."""

    left: int = MAX_WORDS

    def take(self, words: int, *, name: str) -> None:
        """Count the words of a search by the filter `name`. Raises Refused, naming it, if they are too many."""
        if words > self.left:
            raise Refused(f"The searches of field '{name}' hold more than {MAX_WORDS} words in one request")
        self.left -= words


class ResourceFilterSet(django_filters.FilterSet):
    """The filters of one route. `parse` is the only way in; django-filter's own form is not built."""

    base_filters: ClassVar[dict[str, ResourceFilter]]
    declared_filters: ClassVar[dict[str, django_filters.Filter]]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Raises ImproperlyConfigured for what would have no effect."""
        super().__init_subclass__(**kwargs)
        refuse_hooks(cls, _HOOKS, base=ResourceFilterSet)
        for name, declared in cls.declared_filters.items():
            if not isinstance(declared, ResourceFilter):
                raise ignored(cls.__name__, f"{name} = {type(declared).__name__}", "use kit.reads.filters.filters")

    @classmethod
    def parse(cls, parameters: Mapping[str, Any], searching: Searching | None = None) -> Condition:
        """The parameters, joined by AND, with $and and $or inside.

        searching: what other searches of the same request have left; without it there are none.
        Raises InvalidData naming an unknown parameter, a bad value or a filter that is missing, for nesting beyond 4,
        more than 50 conditions, and more than 8 searched words.
        """
        condition = (
            _Parser(cls.base_filters, searching or Searching()).object(parameters, depth=0)
            if parameters
            else EVERYTHING
        )
        for name, each in cls.base_filters.items():
            if isinstance(each, OneTextFilter) and each.is_required and parameters.get(name) is None:
                raise Refused(f"Field '{name}' is required")
        return condition


class TimestampFilters(ResourceFilterSet):
    """Filters of rows that have timestamps and soft deletion."""

    created_at = DateFilter()
    updated_at = DateFilter()
    deleted_at = DateFilter()


class RecordFilters(TimestampFilters):
    """Filters of rows that also have an id."""

    id = IdFilter()


class _Parser:
    def __init__(self, filters: Mapping[str, ResourceFilter], searching: Searching) -> None:
        self._filters = filters
        self._searching = searching
        self._leaves = 0
        self._values = 0

    def object(self, parameters: Mapping[str, Any], *, depth: int) -> Condition:
        unknown = [name for name in parameters if name not in self._filters and name not in ("$and", "$or")]
        if unknown:
            raise Refused(f"Unrecognized fields: '{', '.join(shown(name) for name in unknown)}'")
        conditions = tuple(self._condition(name, raw, depth=depth) for name, raw in parameters.items())
        return conditions[0] if len(conditions) == 1 else Every(conditions)

    def _condition(self, name: str, raw: Any, *, depth: int) -> Condition:
        if name in ("$and", "$or"):
            return self._joined_conditions(name, raw, depth=depth + 1)
        declared = self._filters[name]
        condition = declared.condition(raw, name=name)
        if words := most_words(condition):
            self._searching.take(words, name=name)
            self._count(words)
        else:
            self._weigh(tuple(lookups(condition)))
        return declared.placed(condition)

    def _weigh(self, leaves: Sequence[Condition]) -> None:
        self._count(max(1, len(leaves)))
        self._values += sum(
            len(leaf.value) for leaf in leaves if isinstance(leaf, Is) and isinstance(leaf.value, tuple)
        )
        if self._values > MAX_VALUES:
            raise Refused(f"More than {MAX_VALUES} values in the lists of one request")

    def _count(self, leaves: int) -> None:
        self._leaves += leaves
        if self._leaves > MAX_LEAVES:
            raise Refused(f"More than {MAX_LEAVES} conditions in one request")

    def _joined_conditions(self, name: str, raw: Any, *, depth: int) -> Condition:
        if depth > MAX_NESTING:
            raise Refused(f"'{name}' is nested deeper than {MAX_NESTING} levels")
        if not isinstance(raw, list) or not raw or not all(isinstance(item, dict) and item for item in raw):
            raise Refused(f"Expected type: 'array' of objects for field '{name}', got: '{shown(raw)}'")
        conditions = tuple(self.object(item, depth=depth) for item in raw)
        return Every(conditions) if name == "$and" else Either(conditions)
