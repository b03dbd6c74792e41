"""Renders a response as JSON, up to its largest size: rows share related objects until these are written for each.

A large response is written object by object, so that one that is too large is never whole in memory.
"""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from graphql import GraphQLError

from kit.graphql.errors import Refusal
from kit.reads.plans.bounds import AnswerLimit
from kit.rest.responses.renderers import json_answer, to_json

MOST_AT_ONCE = 2_000
"""Rows and related objects that are written in one call."""


def render(body: dict[str, Any], answer_limit: AnswerLimit) -> HttpResponse:
    """The answer. Raises Refusal for more than settings.MAX_GRAPHQL_ANSWER bytes."""
    if answer_limit.written <= MOST_AT_ONCE:
        response = json_answer(body)
        _check(len(response.content))
        return response
    return HttpResponse(b"".join(_bounded(body)), content_type="application/json")


def check_answer(body: dict[str, Any]) -> None:
    """Raise Refusal for an answer that `render` would refuse."""
    for _ in _bounded(body):
        pass


def _bounded(body: dict[str, Any]) -> Iterator[bytes]:
    written = 0
    for piece in _pieces(body):
        written += len(piece)
        _check(written)
        yield piece


def _check(written: int) -> None:
    if written > settings.MAX_GRAPHQL_ANSWER:
        message = f"The answer is larger than {settings.MAX_GRAPHQL_ANSWER} bytes; ask for fewer rows or fewer fields"
        raise Refusal([GraphQLError(message)])


def _pieces(value: Any) -> Iterator[bytes]:
    """What holds no other object is one piece."""
    if isinstance(value, dict) and any(isinstance(each, (dict, list)) for each in value.values()):
        before = b"{"
        for key, each in value.items():
            yield before + to_json(key) + b":"
            yield from _pieces(each)
            before = b","
        yield b"}"
    elif isinstance(value, list) and value:
        before = b"["
        for each in value:
            yield before
            yield from _pieces(each)
            before = b","
        yield b"]"
    else:
        yield to_json(value)
