"""Query strings in bracket grammar: `id[]=a`, `created_at[$gte]=…`, `$or[0][name]=…`, nested as deep as filters go.

Why: docs/decisions/http.md#a-list-is-never-split-at-commas.
"""

import re
from typing import Any
from urllib.parse import unquote_to_bytes

from kit.errors import InvalidData

MAX_PARAMETERS = 1100
"""Large enough for a list of as many values as filters take."""
MAX_BRACKETS = 16
MAX_NAME_LENGTH = 60
_KEY = re.compile(r"([^\[\]]+)((?:\[[^\[\]]*\])*)")
_BRACKET = re.compile(r"\[([^\[\]]*)\]")
_BAD_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")


def parse_query(text: str) -> dict[str, Any]:
    """Parameters by name: a text, a list, or an object of these.

    Raises InvalidData for bad percent-encoding or UTF-8, NUL characters, malformed brackets and names used in two ways.
    """
    if not text:
        return {}
    pieces = [piece for piece in text.split("&") if piece]
    if len(pieces) > MAX_PARAMETERS:
        raise InvalidData(f"Invalid request: more than {MAX_PARAMETERS} query parameters")
    root: dict[str, Any] = {}
    for piece in pieces:
        raw_key, _, raw_value = piece.partition("=")
        key, value = _decoded(raw_key), _decoded(raw_value)
        if "\0" in value or "\0" in key:
            raise InvalidData(f"Invalid request: NUL character in field '{key.replace(chr(0), '')[:60]}'")
        _put(root, _path(key), value, key)
    return {name: _settled(value, name) for name, value in root.items()}


def _decoded(raw: str) -> str:
    """The text that was encoded. WSGI hands bytes over as Latin-1, also those that the caller did not encode."""
    if _BAD_PERCENT.search(raw):
        raise InvalidData(f"Invalid request: bad percent-encoding near '{raw[:60]}'")
    try:
        return unquote_to_bytes(raw.replace("+", " ").encode("latin-1")).decode()
    except UnicodeError:
        raise InvalidData(f"Invalid request: the query string is not valid UTF-8 near '{raw[:60]}'") from None


def _path(key: str) -> list[str]:
    if key.count(".") == 1 and "[" not in key:  # `created_at.$gte`, as some clients write it
        path = key.split(".")
        is_whole = all(path)
    else:
        match = _KEY.fullmatch(key)
        path = [match[1], *_BRACKET.findall(match[2])] if match else [key]
        is_whole = match is not None and "" not in path[:-1]  # below `[]`, parsers do not agree which object is meant
    if not is_whole or max(map(len, path)) > MAX_NAME_LENGTH:
        raise InvalidData(f"Invalid request: Unrecognized fields: '{key[:60]}'")
    if len(path) > MAX_BRACKETS:
        raise InvalidData(f"Invalid request: '{key[:60]}' is nested too deep")
    return path


def _put(root: dict[str, Any], path: list[str], value: str, key: str) -> None:
    node = root
    for segment in path[:-1]:
        node = node.setdefault(segment, {})
        if not isinstance(node, dict):
            raise _ambiguous(key)
    last = path[-1]
    present = node.get(last)
    if isinstance(present, dict):
        raise _ambiguous(key)
    if present is None:
        node[last] = value
    else:
        node[last] = [*(present if isinstance(present, list) else [present]), value]


def _settled(value: Any, name: str) -> Any:
    """Objects whose keys are all indexes become lists."""
    if not isinstance(value, dict):
        return value
    indexes = [key for key in value if key == "" or (key.isascii() and key.isdecimal())]
    if not indexes:
        return {key: _settled(below, name) for key, below in value.items()}
    if len(indexes) != len(value) or ("" in value and len(value) > 1):
        raise _ambiguous(name)
    items: list[Any] = []
    for key in sorted(value, key=lambda index: int(index or 0)):
        below = _settled(value[key], name)
        items.extend(below if key == "" and isinstance(below, list) else [below])
    return items


def _ambiguous(key: str) -> InvalidData:
    return InvalidData(f"Invalid request: the field '{key[:60]}' is given in two ways at once")
