"""The titles of API keys: one line of text each, as lists, logs and terminals show them."""

from kit.values import text


def fault(title: str) -> str | None:
    """What is wrong with the title, as the end of a sentence about it; None if it is valid."""
    return text.fault(title, longest=text.LONGEST, may_be_blank=False, one_line=True)


def checked_title(title: str) -> str:
    """The title, unchanged. Raises InvalidData if it is blank, too long, or has control characters."""
    return text.checked(title, field="title", longest=text.LONGEST, may_be_blank=False, one_line=True)
