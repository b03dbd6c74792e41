"""Searching orders and their documents for words, and for phone numbers and postal codes however they are typed."""

import re

from kit.query.conditions import EVERYTHING, Condition, Either, Is, Some, Words
from kit.search.text import words_of
from orders.common.search.entries import SEARCHED
from orders.common.search.phones import with_joined_phones

_DUTCH_CODE = re.compile(r"(?<!\S)(\d{4})\s+([a-z]{2})(?!\S)", re.ASCII | re.IGNORECASE)
"""The postal code that ends with fewer letters than are found inside a word."""


def searched(search: str) -> Condition:
    """The condition that an order has all words, as they are typed or with each phone number or code as one word."""
    joined = (with_joined_phones(search), _DUTCH_CODE.sub(r"\1\2", search))
    spellings = dict.fromkeys(map(words_of, (search, *joined)))
    found = tuple(Words(SEARCHED, words) for words in spellings if words)
    return Either(found) if len(found) > 1 else found[0] if found else EVERYTHING


def searched_documents(search: str) -> Condition:
    """The condition that a document has that number, or belongs to an order in which all words are found."""
    found, number = searched(search), search.strip()
    if found == EVERYTHING:
        return EVERYTHING
    return Either((Is("shown_number__in", (number, number.upper())), Some("order", found)))
