"""Searching orders for words, and for phone numbers however they are typed."""

from kit.query.conditions import EVERYTHING, Condition, Either, Words
from kit.search.text import words_of
from orders.search.entries import SEARCHED
from orders.search.phones import with_joined_phones


def searched(search: str) -> Condition:
    """The condition that an order has all words, as they are typed or with each phone number as one word."""
    spellings = dict.fromkeys((words_of(search), words_of(with_joined_phones(search))))
    found = tuple(Words(SEARCHED, words) for words in spellings if words)
    return Either(found) if len(found) > 1 else found[0] if found else EVERYTHING
