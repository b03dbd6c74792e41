"""The answers to requests that the front refuses: like other errors, with a request id, CORS headers and a log line."""

from collections.abc import Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from kit.rest.middleware.middleware import Cors, RequestLog
from kit.rest.responses.errors import body
from kit.server.refusals import Refused

_REFUSED = "commerce.refused"


def answer_to(refused: Refused) -> WSGIApplication:
    """The WSGI application that sends this refusal."""

    def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        request = WSGIRequest({**environ, _REFUSED: refused})
        response: Any = _layers(request)
        start_response(f"{response.status_code} {response.reason_phrase}", list(response.items()))
        return [response.content]

    return application


def _answer(request: HttpRequest) -> HttpResponseBase:
    refused: Refused = request.META[_REFUSED]
    kind = "unavailable" if refused.status in (408, 503) else "invalid_data"
    headers = {} if refused.retry_after is None else {"Retry-After": str(refused.retry_after)}
    answer = body(refused.status, kind, refused.message, headers=headers)
    if refused.closes:
        answer["Connection"] = "close"
    answer["Content-Length"] = str(len(answer.content))
    return answer


_layers = RequestLog(Cors(_answer))
