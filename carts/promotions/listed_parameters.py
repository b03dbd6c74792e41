"""Lists of texts as parameters of statements that are compiled once for each power of two, and padded up to it."""

from collections.abc import Mapping, Sequence


def size_of(texts: Sequence[str]) -> int:
    """How many parameters the list takes; 0 for none."""
    return 1 << (len(texts) - 1).bit_length() if texts else 0


def places(size: int) -> Sequence[str]:
    """What stands for the texts while the statement is compiled."""
    return [f"text {number}" for number in range(size)]


def values(texts: Sequence[str]) -> Mapping[object, object]:
    """The texts by their places, with an empty text at those that are left."""
    size = size_of(texts)
    return dict(zip(places(size), [*texts, *[""] * (size - len(texts))], strict=True))
