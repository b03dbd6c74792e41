"""The titles of API keys: one line of text each, as lists, logs and terminals show them."""

from unicodedata import category

from commerce.core import text
from commerce.core.errors import InvalidData

LONGEST = 255
"""Characters."""


def fault(title: str) -> str | None:
    """What is wrong with the title, as the end of a sentence about it, or None."""
    problem = text.fault(title, longest=LONGEST, may_be_blank=False)
    if problem is None and any(category(character) == "Cc" for character in title):
        return "must not contain control characters"
    return problem


def checked_title(title: str) -> str:
    """The title as it is. Raises InvalidData for a blank, unstorable or too long one, and for control characters."""
    problem = fault(title)
    if problem:
        raise InvalidData(f"Value for field 'title' {problem}")
    return title
