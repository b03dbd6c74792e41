"""Text that both databases can hold."""

from commerce.core.errors import InvalidData


def checked(value: str, *, field: str, longest: int | None = None, may_be_blank: bool = True) -> str:
    """The text as it is.

    longest: in characters.
    Raises InvalidData naming the field for NUL characters and lone surrogates, which PostgreSQL refuses, for a text
    that is too long, and for a blank one where the field needs words.
    """
    if "\0" in value:
        raise InvalidData(f"Value for field '{field}' must not contain NUL characters")
    if not is_encodable(value):
        raise InvalidData(f"Value for field '{field}' is not valid Unicode text")
    if longest is not None and len(value) > longest:
        raise InvalidData(f"Value for field '{field}' too long, expected at most: '{longest}' characters")
    if not may_be_blank and not value.strip():
        raise InvalidData(f"Value for field '{field}' must not be blank")
    return value


def is_storable(value: str) -> bool:
    """Whether both databases can hold the text, or look for it."""
    return "\0" not in value and is_encodable(value)


def is_encodable(value: str) -> bool:
    """Whether the text has a UTF-8 form; half of a surrogate pair has none."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
