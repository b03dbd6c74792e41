"""Errors as responses: the only module that knows statuses and bodies.

Why: docs/decisions/http.md#errors-have-the-types-that-medusa-documents,
docs/decisions/http.md#no-input-causes-a-500.
"""

import logging
import re
import sys
import sysconfig
from collections.abc import Callable, Mapping
from pathlib import Path
from traceback import walk_tb

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.db import Error, IntegrityError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.views import defaults
from rest_framework import exceptions

from kit import errors
from kit.database import database_time
from kit.database.error_states import was_canceled, was_lost
from kit.database.locking import is_conflict, was_taken
from kit.database.unwritable import cannot_store, refused_writes
from kit.rest.requests.multipart import MEDIA_TYPE, MultipartExpected
from kit.rest.responses.renderers import json_answer
from kit.rest.responses.validation_problems import MemberPath, comma_separated, problems

log = logging.getLogger(__name__)

_STATUSES: dict[type[errors.DomainError], int] = {
    errors.Forbidden: 403,
    errors.Unauthorized: 401,
    errors.NotFound: 404,
    errors.Duplicate: 422,
    errors.Conflict: 409,
    errors.TooManyRequests: 429,
    errors.Unavailable: 503,
}


class AuthenticationRequired(Exception):
    """The route requires credentials, and the request has none that it accepts: 401, plain text."""


def refuse(exception: Exception, *, place: Callable[[MemberPath], str] = comma_separated) -> HttpResponse:
    """The response to any exception raised while serving a request; an unexpected one is logged and answered 500.

    place: how the message names a member of the body.
    """
    if isinstance(exception, AuthenticationRequired):
        return HttpResponse(b"Unauthorized", status=401, content_type="text/plain")
    if isinstance(exception, errors.DomainError):
        return _refusal(exception)
    if (foreseen := _foreseen(exception)) is not None:
        return _refusal(foreseen)
    if isinstance(exception, Http404):
        return body(404, "not_found", str(exception) or "Not found")
    if isinstance(exception, RequestDataTooBig):
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        return body(413, "invalid_data", f"The request body is larger than {most} bytes")
    if isinstance(exception, exceptions.APIException):
        return _from_framework(exception, place)
    log.error("request failed", exc_info=exception)
    return _internal()


def body(
    status: int,
    type: str,
    message: str,
    *,
    code: str | None = None,
    details: Mapping[str, object] | None = None,
    headers: Mapping[str, str] | None = None,
) -> HttpResponse:
    """An error body; `code` and `details` are left out where the contract has none."""
    shape: dict[str, object] = {"type": type, "message": message}
    if code:
        shape = {"code": code, **shape}
    if details is not None:
        shape["details"] = details
    return json_answer(shape, status=status, headers=headers)


def _internal() -> HttpResponse:
    """500. Only the log has the cause, with the request's id."""
    return body(500, "database_error", "An internal error occurred; the X-Request-Id header names it", code="api_error")


def _refusal(error: errors.DomainError) -> HttpResponse:
    status = next((status for kind, status in _STATUSES.items() if isinstance(error, kind)), 400)
    headers = {}
    if isinstance(error, errors.TooManyRequests | errors.Unavailable):
        headers["Retry-After"] = str(error.retry_after)
    return body(status, error.type, error.message, code=error.code, details=error.details, headers=headers)


def _from_framework(exception: exceptions.APIException, place: Callable[[MemberPath], str]) -> HttpResponse:
    if isinstance(exception, exceptions.ValidationError):
        return body(400, "invalid_data", f"Invalid request: {'; '.join(problems(exception, place))}")
    if isinstance(exception, exceptions.MethodNotAllowed):
        return body(405, "not_allowed", str(exception.detail))
    if isinstance(exception, exceptions.UnsupportedMediaType):
        return body(415, "invalid_data", f"The Content-Type of the body must be {_expected_type(exception)}")
    if isinstance(exception, exceptions.PermissionDenied):
        return body(403, "not_allowed", str(exception.detail))
    return body(exception.status_code, "invalid_data", str(exception.detail))


def _expected_type(exception: exceptions.UnsupportedMediaType) -> str:
    return MEDIA_TYPE if isinstance(exception, MultipartExpected) else "application/json"


def _foreseen(error: BaseException | None) -> errors.DomainError | None:
    """The refusal for an expected error of the database or of a file. What an operator should know is logged."""
    if cannot_store(error):
        log.error("nothing can be stored: %s", str(error).strip().splitlines()[0])
        refused_writes.note()
        return errors.Unavailable("The shop can store nothing now. You may retry the request with its Idempotency-Key")
    return _of_database(error) if isinstance(error, Error) else None


def _of_database(error: Error) -> errors.DomainError | None:
    if isinstance(error, IntegrityError):
        return _duplicate(error)
    if isinstance(error, OperationalError) and is_conflict(error):
        return errors.Conflict()
    if isinstance(error, OperationalError) and was_canceled(error):
        if database_time.is_over():  # anyone can cause this at will, so log one line without a traceback
            log.warning("the database took longer than one request may keep it, at %s", _place(error))
            return errors.Unavailable("The request needs more of the database's time than it may take; ask for less")
        log.error("a statement took too long and was canceled", exc_info=error)
        return errors.Unavailable("The database took too long to answer; ask for less, or try again later")
    if was_lost(error):
        log.error("the database cannot be reached", exc_info=error)
        return _unreachable()
    return None


def _unreachable() -> errors.Unavailable:
    return errors.Unavailable("The database cannot be reached. You may retry the request with its Idempotency-Key")


_CARRIERS = ("database", "derived", "domain", "search", "work", "writes")
"""Packages of the kit whose modules carry statements of others to the database."""


def _place(error: Exception) -> str:
    """The innermost frame of our own code as file:line, above the modules that all statements go through."""
    frames = ((Path(frame.f_code.co_filename), line) for frame, line in walk_tb(error.__traceback__))
    own = [f"{path.relative_to(settings.BASE_DIR)}:{line}" for path, line in frames if is_our_code(path)]
    return own[-1] if own else "an unknown place"


def is_our_code(path: Path) -> bool:
    """Whether the file is of the shop, but for modules that carry statements of others."""
    others = (Path(sysconfig.get_path("purelib")), *(settings.KIT / package for package in _CARRIERS))
    return path.is_relative_to(settings.BASE_DIR) and not any(path.is_relative_to(other) for other in others)


_POSTGRESQL_KEY = re.compile(r"\((.+)\)=\((.*)\) already exists", re.DOTALL)
_SQLITE_KEY = re.compile(r"UNIQUE constraint failed: (.+)")


def _duplicate(error: IntegrityError) -> errors.Duplicate | None:
    """The refusal for a unique violation that no verb checks for. It reveals no more than the caller sent."""
    if was_taken(error):
        match = _POSTGRESQL_KEY.search(str(error))
        return errors.Duplicate(f"A row with this {match[1] if match else 'value'} already exists")
    match = _SQLITE_KEY.search(str(error))
    if match is None:
        return None
    columns = ", ".join(column.rpartition(".")[2] for column in match[1].split(", "))
    return errors.Duplicate(f"A row with this {columns} already exists")


# --- Outside the endpoints: unknown routes and what middleware refuses ---


def _wants_page(request: HttpRequest) -> bool:
    return "text/html" in request.headers.get("Accept", "") and request.method in ("GET", "HEAD")


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler404: JSON, or a page for a browser."""
    if _wants_page(request):
        return defaults.page_not_found(request, exception)
    return body(404, "not_found", f"Cannot {request.method} {request.path}")


def unknown_route(request: HttpRequest) -> HttpResponse:
    """A view for paths that no route may take."""
    raise Http404


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler400: an unknown Host, an oversized body met by middleware, and the like."""
    if isinstance(exception, RequestDataTooBig):
        return refuse(exception)
    return body(400, "invalid_data", "The request is not acceptable")


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler403."""
    if _wants_page(request):
        return defaults.permission_denied(request, exception)
    return body(403, "not_allowed", "Forbidden")


def server_error(request: HttpRequest) -> HttpResponse:
    """handler500, called while the cause is handled; Django has logged it. Errors of the database as in the API."""
    foreseen = _foreseen(sys.exc_info()[1])
    return _internal() if foreseen is None else _refusal(foreseen)
