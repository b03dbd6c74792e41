"""Validation errors as messages, each with the path of the field in the body."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from rest_framework.exceptions import ValidationError

from kit.errors import MOST_NAMED
from kit.rest.requests.inputs import UNKNOWN

MemberPath = Sequence[str | int]
"""Names of fields and indexes of lists, from the outermost: `("items", 0, "quantity")`."""
_OWN_NAME = re.compile("field '[^']*'")


def comma_separated(path: MemberPath) -> str:
    """`items, 0, quantity`, as in messages to storefronts."""
    return ", ".join(map(str, path))


def bracketed(path: MemberPath) -> str:
    """`create[3].variants[0].sku`, as in messages to programs."""
    return "".join(f"[{one}]" if isinstance(one, int) else f".{one}" for one in path).removeprefix(".")


def problems(error: ValidationError, place: Callable[[MemberPath], str]) -> Iterator[str]:
    """The first ten messages. place: comma_separated or bracketed."""
    return islice(_problems(error.get_full_details(), (), place), MOST_NAMED)


def _problems(details: Any, path: MemberPath, place: Callable[[MemberPath], str]) -> Iterator[str]:
    if isinstance(details, dict) and set(details) == {"message", "code"}:
        is_missing = details["code"] == "required"
        yield f"Field '{place(path)}' is required" if is_missing else _with_path(details["message"], path, place)
    elif isinstance(details, dict):
        for name, below in details.items():
            yield from _problems(below, path if name == "non_field_errors" else (*path, name), place)
    elif unknown := [place((*path, one["message"])) for one in details if one.get("code") == UNKNOWN]:
        yield f"Unrecognized fields: '{', '.join(unknown)}'"
    else:
        for below in details:
            yield from _problems(below, path, place)


def _with_path(message: str, path: MemberPath, place: Callable[[MemberPath], str]) -> str:
    """The message with the whole path of its field in place of the bare name."""
    return _OWN_NAME.sub(lambda _: f"field '{place(path)}'", message, count=1) if len(path) > 1 else str(message)
