"""Request bodies: JSON objects, or the raw bytes of a route whose callers use their own formats."""

from collections import deque
from collections.abc import Iterator, Mapping
from typing import IO, Any

import orjson
from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.parsers import BaseParser

from kit.errors import InvalidData
from kit.values import bounded_json


class JSONParser(BaseParser):
    """`application/json` in UTF-8. A NUL character anywhere is refused: PostgreSQL could not store it."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        return parse_object(stream.read(), media_type or "")


def read_object(request: HttpRequest) -> dict[str, Any]:
    """The request's body as an object. Raises the errors of parse_object and read_bytes."""
    return parse_object(read_bytes(request), request.META.get("CONTENT_TYPE", ""))


def read_bytes(request: HttpRequest) -> bytes:
    """The request's body as it was sent. Raises RequestDataTooBig, and InvalidData for a malformed Content-Length."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not (length.isascii() and length.isdecimal() and len(length) < 20):
        raise InvalidData("The Content-Length is not a number")
    if int(length) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
        raise RequestDataTooBig
    return request.body


def parse_object(body: bytes, content_type: str) -> dict[str, Any]:
    """The body as an object; an absent one is `{}`.

    Raises UnsupportedMediaType for another content type or charset, InvalidData for malformed JSON, too many or too
    deeply nested values, and anything but an object.
    """
    if not body:
        return {}
    media_type, *parameters = (part.strip().lower() for part in content_type.split(";"))
    charsets = [part.partition("=")[2].strip('"') for part in parameters if part.startswith("charset=")]
    if media_type != "application/json" or any(charset not in ("utf-8", "utf8") for charset in charsets):
        raise UnsupportedMediaType(content_type[:100])
    try:
        value = bounded_json.parse(body)
    except bounded_json.TooComplex as error:
        raise InvalidData(f"The request body {error}") from None
    except orjson.JSONDecodeError as error:
        raise InvalidData(f"Malformed JSON: {error}") from None
    if not isinstance(value, dict):
        raise InvalidData("Invalid request: Expected type: 'object' for the body")
    if b"\\u0000" in body:
        _refuse_nul(value)
    return value


def _refuse_nul(body: dict[str, Any]) -> None:
    pending: deque[tuple[str, Any]] = deque(_members("", body))
    while pending:
        path, value = pending.popleft()
        if isinstance(value, str) and "\0" in value:
            raise InvalidData(f"Invalid request: NUL character in field '{path}'")
        pending.extend(_members(path, value))


def _members(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """An object's keys and values, or a list's items, each with the path that names it, cut short."""
    if isinstance(value, dict):
        for key, below in value.items():
            yield path, key
            yield (f"{path}.{key[:60]}" if path else key)[:60], below
    elif isinstance(value, list):
        for index, below in enumerate(value):
            yield f"{path}[{index}]"[:60], below
