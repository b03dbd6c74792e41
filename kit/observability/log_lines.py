"""Lines of the log, written so that several processes can share a pipe: no line stands within another.

The system writes at most LONGEST bytes to a pipe at once; longer writes may mix. A longer line of JSON becomes several,
each an object with the same fields and a part of the longest text, such as a traceback: `"part": "1/3"`.
"""

import json
import os
from contextlib import suppress

import orjson
from structlog.typing import EventDict

LONGEST = 4096
"""PIPE_BUF of Linux."""
_SHORTENED = 300
"""Bytes of each text but the longest, and the least that a part has of that, however many other fields there are."""
_STANDARD_ERROR = 2


class StandardError:
    """Where the log goes; a file to loggers. What nobody reads any more is dropped: requests go on without a log."""

    def write(self, text: str | bytes) -> None:
        """Write the line, or lines, at once; of a text that is too long for that, each line at once."""
        data = text if isinstance(text, bytes) else text.encode(errors="backslashreplace")
        with suppress(OSError):
            for piece in [data] if len(data) <= LONGEST else data.splitlines(keepends=True):
                left = piece
                while left:
                    left = left[os.write(_STANDARD_ERROR, left) :]

    def flush(self) -> None:
        """Nothing is kept back."""


def json_lines(_logger: object, _method: str, line: EventDict) -> bytes:
    """A structlog renderer: the line as JSON, without a line feed at its end; several lines if it is too long."""
    whole = _dumped(line)
    if len(whole) < LONGEST:
        return whole
    texts = {name: value if isinstance(value, str) else _dumped(value).decode() for name, value in line.items()}
    longest = max(texts, key=lambda name: len(texts[name]))
    others = {
        name: line[name] if _size(text) <= _SHORTENED else _cut(text[:_SHORTENED], _SHORTENED)[0]
        for name, text in texts.items()
    }
    room = LONGEST - len(_dumped({**others, longest: "", "part": "999/999"})) - 1  # and the line feed
    parts = _cut(texts[longest], max(room, _SHORTENED))
    return b"\n".join(
        _dumped({**others, longest: part, "part": f"{number}/{len(parts)}"}) for number, part in enumerate(parts, 1)
    )


def _cut(text: str, room: int) -> list[str]:
    """The text in parts that take at most so many bytes as JSON, cut at the ends of lines where there are any."""
    parts = []
    while text:
        size = room
        while size > 1 and _size(text[:size]) > room:
            size = size * 3 // 4
        end = text.rfind("\n", 0, size) + 1 if len(text) > size else size
        parts.append(text[: end or size])
        text = text[end or size :]
    return parts


def _size(text: str) -> int:
    """Bytes as JSON, without the quotation marks."""
    return len(_dumped(text)) - 2


def _dumped(value: object) -> bytes:
    try:
        return orjson.dumps(value, default=repr)
    except TypeError:  # a number of more than 64 bits, or half a character
        return json.dumps(value, default=repr).encode()
