"""Refusals as GraphQL errors: message, place, and in `extensions` the type, code and details that REST's body has.

`retryAfter`, of a throttled field, is the header's number of seconds.

Statuses, types and codes are decided by kit/rest/responses/errors.py; this module only dresses them.
Why: docs/decisions/graphql.md#the-errors-of-a-document-are-a-list.
"""

import re
from collections.abc import Sequence
from typing import Any

import orjson
from django.http import HttpResponse
from graphql import GraphQLError

from kit.rest.responses.errors import AuthenticationRequired, refuse
from kit.rest.responses.renderers import json_answer

Body = dict[str, Any]

_PYTHON = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\b(?:None|True|False|a mapping)\b")
_WORDS = {"None": "null", "True": "true", "False": "false", "a mapping": "an object"}
_EXTENSIONS = ("type", "code", "details", "retryAfter")


class Refusal(Exception):
    """The document is refused before anything of it was executed."""

    def __init__(self, errors: Sequence[GraphQLError]) -> None:
        super().__init__(errors[0].message)
        self.errors = errors


def refuse_document(refusal: Refusal) -> HttpResponse:
    """400, with every problem that was found."""
    problems = [_shaped(error, _plain(error.message), {"type": "invalid_data"}) for error in refusal.errors]
    return json_answer({"errors": problems}, status=400)


def formatted(error: GraphQLError) -> tuple[int, Body]:
    """An error of execution: REST's status for its cause, and its shape in `errors`.

    An unexpected error is logged with its traceback, and shown without internals.
    """
    cause = error.original_error
    if cause is None or isinstance(cause, GraphQLError):  # graphql-core's own: an argument that does not fit its type
        return 400, _shaped(error, _plain(error.message), {"type": "invalid_data"})
    answer = refuse(cause)
    if isinstance(cause, AuthenticationRequired):
        return answer.status_code, _shaped(error, "Unauthorized", {"type": "unauthorized"})
    body = orjson.loads(answer.content)
    if "Retry-After" in answer:
        body["retryAfter"] = int(answer["Retry-After"])
    return answer.status_code, _shaped(error, body.pop("message"), body)


def _plain(message: str) -> str:
    """A message of graphql-core in JSON's words; what it quotes stays as it is."""
    return _PYTHON.sub(lambda match: _WORDS.get(match[0], match[0]), message)


def _shaped(error: GraphQLError, message: str, extensions: Body) -> Body:
    shaped: Body = {"message": message}
    if error.locations:
        shaped["locations"] = [location.formatted for location in error.locations]
    if error.path:
        shaped["path"] = error.path
    return {**shaped, "extensions": {key: extensions[key] for key in _EXTENSIONS if key in extensions}}
