"""Checks JSON text before it is parsed: yajl crashes on some texts, and misreads others."""

import codecs
import re
from typing import BinaryIO

LONGEST_NUMBER = 400
"""In characters: more than the longest exact float has before its exponent, and far below Python's limit."""

_CHUNK = 64 * 1024
_OUTSIDE = re.compile(r'[^"]*')
_BAD_NUMBER = re.compile(rf"[-+.0-9eE]{{{LONGEST_NUMBER + 1},}}|[eE][-+]?[0-9]{{7,}}")
_NUMBER_AT_THE_END = re.compile(r"(?<![-+.0-9eE])[-+.0-9eE]+\Z")
_HIGH, _LOW = r"\\u[dD][89abAB][0-9a-fA-F]{2}", r"\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_INSIDE = re.compile(rf'(?:[^"\\]++|{_HIGH}{_LOW}|\\(?!u[dD][89a-fA-F]|u.{{0,2}}\Z).)*+', re.DOTALL)
_SOUND = re.compile(
    rf'(?:"{_INSIDE.pattern}"|[^-+.0-9eE"]++'
    rf"|(?![-+.0-9]*[eE][-+]?[0-9]{{7}})[-+.0-9eE]{{1,{LONGEST_NUMBER}}}+(?=[^-+.0-9eE]))*+",
    re.DOTALL,
)
"""Matches valid text up to what needs a closer look or continues in the next chunk, which makes the scan fast."""
_PAIR_LENGTH = len(r"\ud83d\ude00")


class Unreadable(Exception):
    """The text cannot be parsed safely; the message has the line and the reason."""


def check(file: BinaryIO) -> None:
    """Read the whole file. The parser reports other errors.

    Raises Unreadable for invalid UTF-8, numbers with too many digits, and escapes of half a surrogate pair.
    """
    scan = _Scan()
    decoder = codecs.getincrementaldecoder("utf-8")()
    is_last = False
    while not is_last:
        chunk = file.read(_CHUNK)
        is_last = not chunk
        try:
            text = decoder.decode(chunk, final=is_last)
        except UnicodeDecodeError as error:
            raise Unreadable("it is not UTF-8") from error
        scan.go_on(text, is_last=is_last)


class _Scan:
    """The state of a scan: inside or outside a string, and the text that cannot be checked yet."""

    def __init__(self) -> None:
        self._is_inside = False
        self._rest = ""
        self._line = 1

    def go_on(self, text: str, *, is_last: bool) -> None:
        text, start = self._rest + text, 0
        while start < len(text):
            if not self._is_inside:
                sound = _end(_SOUND, text, start)
                self._line += text.count("\n", start, sound)
                start = sound
            end = self._string(text, start, is_last) if self._is_inside else self._numbers(text, start, is_last)
            self._line += text.count("\n", start, end)
            if text[end : end + 1] != '"':
                self._rest = text[end:]
                return
            self._is_inside = not self._is_inside
            start = end + 1
        self._rest = ""

    def _string(self, text: str, start: int, is_last: bool) -> int:
        """Where the string ends, or the part of it that can be checked."""
        end = _end(_INSIDE, text, start)
        if text[end : end + 1] == "\\" and (is_last or len(text) - end >= _PAIR_LENGTH):
            raise Unreadable(f"line {self._line}: {text[end : end + 6]} is half of a surrogate pair")
        return end

    def _numbers(self, text: str, start: int, is_last: bool) -> int:
        """Where the next string begins, or the part of the text before it that can be checked."""
        end = _end(_OUTSIDE, text, start)
        if _BAD_NUMBER.search(text, start, end):
            raise Unreadable(f"line {self._line}: number too long")
        unfinished = _NUMBER_AT_THE_END.search(text, max(start, end - LONGEST_NUMBER), end)
        return unfinished.start() if unfinished and end == len(text) and not is_last else end


def _end(pattern: re.Pattern[str], text: str, start: int) -> int:
    match = pattern.match(text, start)
    return match.end() if match else start
