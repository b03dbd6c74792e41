"""Which searches, filters and keys a database can be asked for."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib import messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import ValidationError
from django.db.models import Field
from django.http import HttpRequest

from kit.values.text import is_storable

MOST_SEARCH_WORDS = 50
"""Django compares each with every search field; SQLite refuses the expression of a thousand."""


def is_searchable(search_term: str) -> bool:
    """Whether a database can search for it, as text and as conditions on each word."""
    return is_storable(search_term) and not _has_too_many_words(search_term)


def warn_of_words(request: HttpRequest, search_term: str) -> None:
    """Say on the page that a search of too many words was ignored."""
    if _has_too_many_words(search_term):
        messages.warning(request, f"The search was ignored: it may contain at most {MOST_SEARCH_WORDS} words.")


@contextmanager
def reporting_wrong_lookups(request: HttpRequest) -> Iterator[None]:
    """Raises IncorrectLookupParameters also for values that only the query rejects, such as the year 99999999.

    Errors of an unfiltered list are raised unchanged.
    """
    try:
        yield
    except (ValueError, OverflowError) as error:
        if not request.GET:
            raise
        raise IncorrectLookupParameters from error


def are_keys(texts: Iterable[str], column: Field[Any, Any]) -> bool:
    """Whether the column can hold all of them."""
    return all(_is_key(text, column) for text in texts)


def _has_too_many_words(search_term: str) -> bool:
    return len(search_term.split()) > MOST_SEARCH_WORDS


def _is_key(text: str, column: Field[Any, Any]) -> bool:
    try:
        column.run_validators(column.to_python(text))
    except ValidationError:
        return False
    return is_storable(text)
