"""The kinds of filters: each cleans one parameter's raw value into a Condition.

Why: docs/decisions/http.md#unknown-fields-and-parameters-are-refused.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar

import django_filters

from kit.errors import InvalidData, shown
from kit.query.conditions import EVERYTHING, Condition, Either, Every, Is, Not, Words, through
from kit.reads.filters.framework_hooks import ignored, refuse_hooks
from kit.search.text import words_of
from kit.values.timestamps import parse_moment

_HOOKS = dict.fromkeys(("filter", "get_method", "method", "field", "field_class"), "override condition")
_OPTIONS = {
    "method": "override condition in a class of its own",
    "distinct": "related rows are looked up in a subquery, so that no row comes twice",
    "required": "use OneTextFilter(is_required=True)",
}
MAX_SEARCH_LENGTH = 1000
"""Characters: SQLite refuses a pattern of 50,000 bytes."""


class Refused(InvalidData):
    """A filter's value is not of its type; the message names the filter."""

    def __init__(self, message: str) -> None:
        super().__init__(f"Invalid request: {message}")


class ResourceFilter(django_filters.Filter):
    """A filter that turns a raw value (text, list of texts, or object of operators) into a condition.

    lookup_expr, exclude: as in django-filter. lookup_exprs: those that the class can compare by.
    through: relations of the listed model, joined by dots, by the ORM's names; the condition then applies to the rows
        they lead to, and matches if one of them that the caller may see meets it.
    """

    openapi_schema: ClassVar[dict[str, Any]] = {"type": "string"}
    takes_list: ClassVar[bool] = True
    lookup_exprs: ClassVar[frozenset[str]] = frozenset({"exact"})

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Raises ImproperlyConfigured for what would have no effect."""
        super().__init_subclass__(**kwargs)
        refuse_hooks(cls, _HOOKS, base=ResourceFilter)

    def __init__(
        self,
        field_name: str | None = None,
        lookup_expr: str = "exact",
        *,
        exclude: bool = False,
        through: str | None = None,
        **ignored_options: Any,
    ) -> None:
        """Raises ImproperlyConfigured for what would have no effect."""
        for option in ignored_options:
            raise ignored(type(self).__name__, f"`{option}`", _OPTIONS.get(option, "override condition"))
        if lookup_expr not in self.lookup_exprs:
            known = ", ".join(sorted(self.lookup_exprs))
            raise ignored(type(self).__name__, f"lookup_expr='{lookup_expr}'", f"use one of: {known}")
        super().__init__(field_name, lookup_expr, exclude=exclude)
        self.through = through

    def condition(self, raw: Any, *, name: str) -> Condition:
        """The raw value of the parameter `name`. Raises Refused, naming it."""
        raise NotImplementedError

    def placed(self, condition: Condition) -> Condition:
        """The condition on rows of the listed model: behind `through`, and negated by `exclude`."""
        if self.through is not None:
            condition = through(self.through, condition)
        return Not(condition) if self.exclude and condition != EVERYTHING else condition

    @property
    def column(self) -> str:
        """The ORM path that is compared."""
        return str(self.field_name)

    @property
    def lookup(self) -> str:
        """The ORM's lookup for one value."""
        return self.column if self.lookup_expr == "exact" else f"{self.column}__{self.lookup_expr}"


class TextFilter(ResourceFilter):
    """Equality with a text, or membership in a list of texts.

    nullable: whether `null`, alone or in a list, finds rows without a value; elsewhere it is a text like any other.
    """

    lookup_exprs = frozenset(
        {"exact", "iexact", "contains", "icontains", "startswith", "istartswith", "endswith", "iendswith"}
    )

    def __init__(self, *args: Any, nullable: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.nullable = nullable

    def condition(self, raw: Any, *, name: str) -> Condition:
        items = raw if isinstance(raw, list) else [raw]
        texts = [item for item in items if not self._is_null(item)]
        if not items or not all(isinstance(text, str) for text in texts):
            raise Refused(f"Expected type: 'string' for field '{name}', got: '{shown(raw)}'")
        if texts and not isinstance(raw, list):
            return Is(self.lookup, raw)
        absent = [Is(f"{self.column}__isnull", True)] if len(texts) < len(items) else []
        alternatives = (*self._among(tuple(dict.fromkeys(texts))), *absent)
        return alternatives[0] if len(alternatives) == 1 else Either(alternatives)

    def _among(self, texts: tuple[str, ...]) -> Sequence[Condition]:
        if self.lookup_expr == "exact":
            return [Is(f"{self.column}__in", texts)] if texts else []
        return [Is(self.lookup, text) for text in texts]

    def _is_null(self, item: Any) -> bool:
        return self.nullable and item in (None, "null")


class UnusedTextFilter(TextFilter):
    """A text that no row has: of Medusa's parameters, one whose value this shop does not store."""

    def condition(self, raw: Any, *, name: str) -> Condition:
        super().condition(raw, name=name)
        return Is("pk__in", ())


class OneTextFilter(TextFilter):
    """Equality with a single text.

    is_required: whether the route cannot do without; inside $and and $or it may be missing.
    """

    takes_list: ClassVar[bool] = False

    def __init__(self, *args: Any, is_required: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.is_required = is_required

    def condition(self, raw: Any, *, name: str) -> Condition:
        if not isinstance(raw, str):
            raise Refused(f"Expected type: 'string' for field '{name}', got: '{shown(raw)}'")
        return super().condition(raw, name=name)


class IdentifierFilter(OneTextFilter):
    """Matches rows where one of several columns equals the text. For tables too large for substring searches."""

    def __init__(self, *args: Any, columns: tuple[str, ...], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.columns = columns

    def condition(self, raw: Any, *, name: str) -> Condition:
        super().condition(raw, name=name)
        return Either(tuple(Is(column, raw) for column in self.columns))


class CodeFilter(TextFilter):
    """Like TextFilter, for codes that are stored in lower case and taken in any."""

    def condition(self, raw: Any, *, name: str) -> Condition:
        return super().condition(list(map(_lower, raw)) if isinstance(raw, list) else _lower(raw), name=name)


def _lower(raw: Any) -> Any:
    return raw.lower() if isinstance(raw, str) else raw


class ChoiceFilter(TextFilter):
    """Like TextFilter, for a closed set of values."""

    def __init__(self, *args: Any, choices: tuple[str, ...], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.values = choices

    def condition(self, raw: Any, *, name: str) -> Condition:
        for item in raw if isinstance(raw, list) else [raw]:
            if item not in self.values:
                raise Refused(f"Expected: '{', '.join(self.values)}' for field '{name}', but got: '{shown(item)}'")
        return super().condition(raw, name=name)


class FlagFilter(ResourceFilter):
    """`true` or `false`, in any letter case, or the boolean itself."""

    openapi_schema: ClassVar[dict[str, Any]] = {"type": "boolean"}
    takes_list: ClassVar[bool] = False
    lookup_exprs = frozenset({"exact", "isnull"})

    def condition(self, raw: Any, *, name: str) -> Condition:
        flag = {"true": True, "false": False}.get(str(raw).lower()) if isinstance(raw, (str, bool)) else None
        if flag is None:
            raise Refused(f"Expected type: 'boolean' for field '{name}', got: '{shown(raw)}'")
        return Is(self.lookup, flag)


class ComparedFilter(ResourceFilter):
    """A value that has an order: equality, membership, or operators ($eq $ne $in $nin $gt $gte $lt $lte)."""

    operators: ClassVar[dict[str, str]] = {"$gt": "gt", "$gte": "gte", "$lt": "lt", "$lte": "lte"}

    def value(self, raw: Any, *, name: str) -> Any:
        """One raw value as the column is compared with it. Raises Refused, naming the filter."""
        raise NotImplementedError

    def condition(self, raw: Any, *, name: str) -> Condition:
        if not isinstance(raw, dict):
            return self._among(raw, name=name)
        if not raw:
            raise Refused(f"Expected type: 'string' for field '{name}', got: '{{}}'")
        return Every(tuple(self._compare(operator, value, name=name) for operator, value in raw.items()))

    def _compare(self, operator: str, value: Any, *, name: str) -> Condition:
        if operator in self.operators:
            return Is(f"{self.column}__{self.operators[operator]}", self.value(value, name=name))
        if operator in ("$eq", "$in"):
            return self._among(value, name=name)
        if operator in ("$ne", "$nin"):
            return self._among(value, name=name, negated=True)
        raise Refused(f"Unrecognized operator '{operator[:40]}' for field '{name}'")

    def _among(self, value: Any, *, name: str, negated: bool = False) -> Condition:
        if not isinstance(value, list):
            return Is(self.column, self.value(value, name=name), negated=negated)
        if not value:
            raise Refused(f"Expected type: 'array' for field '{name}', got: ''")
        values = dict.fromkeys(self.value(item, name=name) for item in value)
        return Is(f"{self.column}__in", tuple(values), negated=negated)


class DateFilter(ComparedFilter):
    """A moment. A bare date is its midnight, UTC."""

    openapi_schema: ClassVar[dict[str, Any]] = {"type": "string", "format": "date-time"}

    def value(self, raw: Any, *, name: str) -> datetime:
        moment = parse_moment(raw) if isinstance(raw, str) else None
        if moment is None:
            raise Refused(f"Expected type: 'date' for field '{name}', got: '{shown(raw)}'")
        return moment


class ObjectFilter(ResourceFilter):
    """Several conditions on one and the same related row, `options[value]=L&options[option_id]=…`.

    members: the filters by their names within the object, each one of a request's conditions; their own `through`
        starts at that row.
    """

    takes_list: ClassVar[bool] = False

    def __init__(self, *args: Any, members: Mapping[str, ResourceFilter], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.members = members

    def condition(self, raw: Any, *, name: str) -> Condition:
        if not isinstance(raw, dict) or not raw:
            raise Refused(f"Expected type: 'object' for field '{name}', got: '{shown(raw)}'")
        unknown = [f"{name}[{shown(member)}]" for member in raw if member not in self.members]
        if unknown:
            raise Refused(f"Unrecognized fields: '{', '.join(unknown)}'")
        return Every(tuple(self._of_member(member, value, f"{name}[{member}]") for member, value in raw.items()))

    def _of_member(self, member: str, raw: Any, name: str) -> Condition:
        declared = self.members[member]
        return declared.placed(declared.condition(raw, name=name))


class SearchFilter(ResourceFilter):
    """Free text: every word must be found in the row's text, in any letter case, with or without accents.

    columns: the searched columns, as ORM paths; models with a document or entries search those, made of the same.
    A word with three or more letters is found anywhere, a shorter one at the beginning of a word, but two letters of a
    script without spaces anywhere. Every character is literal. Each word counts as one of a request's conditions.
    Why: docs/decisions/search.md#short-words-match-only-beginnings.
    """

    takes_list: ClassVar[bool] = False

    def __init__(self, *args: Any, columns: tuple[str, ...], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.columns = columns

    @property
    def description(self) -> str:
        """For the API reference: the rule, and the fields that are searched."""
        searched = ", ".join(column.replace("__", ".") for column in self.columns)
        return (
            f"Every word must be found in one of: {searched}. One or two letters match the beginning of a word; two of "
            "a script without spaces between words match anywhere."
        )

    def condition(self, raw: Any, *, name: str) -> Condition:
        if not isinstance(raw, str):
            raise Refused(f"Expected type: 'string' for field '{name}', got: '{shown(raw)}'")
        if len(raw) > MAX_SEARCH_LENGTH:
            raise Refused(f"Value for field '{name}' too big, expected at most: '{MAX_SEARCH_LENGTH}' characters")
        words = words_of(raw)
        return Words(self.columns, words) if words else EVERYTHING
