"""Text that both databases can hold."""

from unicodedata import category

from kit.errors import InvalidData

LONGEST = 255
"""Characters of a short text: a name, a code, a line of an address."""

_LONGEST_ERROR = 1_000
_LARGEST = 2**63 - 1
_MOST_DIGITS = 100
_BREAKING = frozenset({"Cc", "Zl", "Zp"})


def fault(value: str, *, longest: int | None = None, may_be_blank: bool = True, one_line: bool = False) -> str | None:
    """What is wrong with the text, as the end of a sentence about it, or None.

    longest: in characters. one_line: whether control characters are refused, ends of lines among them, as in whatever
    lists, logs, labels and emails show. PostgreSQL refuses NUL characters, and lone surrogates have no UTF-8 form.
    """
    if "\0" in value:
        return "must not contain NUL characters"
    if not _is_encodable(value):
        return "is not valid Unicode text"
    if longest is not None and len(value) > longest:
        return f"too long, expected at most: '{longest}' characters"
    if not may_be_blank and not value.strip():
        return "must not be blank"
    if one_line and any(category(character) in _BREAKING for character in value):
        return "must not contain control characters"
    return None


def checked(
    value: str, *, field: str, longest: int | None = None, may_be_blank: bool = True, one_line: bool = False
) -> str:
    """The text as it is. Raises InvalidData, naming the field, for one with a fault."""
    problem = fault(value, longest=longest, may_be_blank=may_be_blank, one_line=one_line)
    if problem:
        raise InvalidData(f"Value for field '{field}' {problem}")
    return value


def kept_error(error: str) -> str:
    """The text of a failure as a column can hold it: without NUL characters, and cut."""
    return error.replace("\0", "")[:_LONGEST_ERROR]


def is_storable(value: str) -> bool:
    """Whether both databases can hold the text, or look for it."""
    return fault(value) is None


def whole_number(text: str) -> int | None:
    """The number in the digits 0 to 9; None for other text, and for a number that no column can hold.

    Python's `int` refuses more than 4,300 digits, and reads those of every script.
    """
    is_plain = text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS
    number = int(text) if is_plain else _LARGEST + 1
    return number if number <= _LARGEST else None


def _is_encodable(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def with_article(noun: str) -> str:
    """`a region`, `an order`."""
    return f"{'an' if noun[0].lower() in 'aeiou' else 'a'} {noun}"
