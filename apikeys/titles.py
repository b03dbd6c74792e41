"""The titles of API keys."""

from commerce.core.text import checked

LONGEST = 255
"""Characters."""


def checked_title(title: str) -> str:
    """The title as it is. Raises InvalidData for a blank or unstorable one, or one that is too long."""
    return checked(title, field="title", longest=LONGEST, may_be_blank=False)
