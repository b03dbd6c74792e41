"""Notes about returns."""

from kit.values import text

LONGEST_NOTE = 1_000
"""Characters of a note."""


def checked_note(note: str | None, *, field: str) -> str | None:
    """The note, unchanged. Raises InvalidData naming the field if it is too long or cannot be stored."""
    return None if note is None else text.checked(note, field=field, longest=LONGEST_NOTE)
