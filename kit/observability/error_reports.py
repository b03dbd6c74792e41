"""Reports of unhandled errors to Sentry. Import this only where SENTRY_DSN is set: nothing is loaded otherwise.

Reports are made where errors are logged, from the exception alone. A report has the types of exceptions with the lines
of code they passed, and which route was requested. It has no values: neither the messages of exceptions nor variables,
paths, headers, bodies or users. The log has the message, under the same request id.
"""

import sys
from typing import Any

import sentry_sdk
from sentry_sdk.integrations.atexit import AtexitIntegration
from sentry_sdk.integrations.dedupe import DedupeIntegration
from structlog.typing import EventDict, Processor

from kit.observability.current_request import current_request

_KEPT = ("event_id", "timestamp", "level", "platform", "release", "environment", "server_name", "sdk")
_KEPT_OF_EXCEPTIONS = ("type", "module", "stacktrace")
_ERRORS = frozenset({"error", "critical"})


def start_reports(dsn: str, *, release: str, environment: str) -> Processor:
    """Begin to send reports; returns a structlog processor that reports the error of each line that has one."""
    sentry_sdk.init(
        dsn=dsn,
        release=release,
        environment=environment,
        default_integrations=False,  # they read requests, and patch Django
        auto_enabling_integrations=False,
        integrations=[AtexitIntegration(callback=lambda pending, timeout: None), DedupeIntegration()],
        include_local_variables=False,
        max_breadcrumbs=0,
        before_send=_without_values,
    )
    return _report_logged


def report(error: BaseException, *, work: str | None = None) -> None:
    """Report the error. work: what raised it, unless that was a request."""
    request = current_request.get()
    with sentry_sdk.new_scope() as scope:
        if request is not None:
            work = request.resolver_match.route if request.resolver_match else None
            scope.set_tag("method", request.method)
        if work is not None:
            scope.set_transaction_name(work)
        sentry_sdk.capture_exception(error)


def _report_logged(_logger: object, _method: str, line: EventDict) -> EventDict:
    """A structlog processor; it must come before the one that formats the exception."""
    given = line.get("exc_info")
    if given and line.get("level") in _ERRORS:
        error = _exception(given)
        if error is not None:
            with sentry_sdk.new_scope() as scope:
                if "request_id" in line:
                    scope.set_tag("request_id", line["request_id"])
                report(error, work=line.get("work") or line.get("chore"))
    return line


def _exception(given: Any) -> BaseException | None:
    """What `exc_info` names: an exception, a tuple with one, or True for the one that is being handled."""
    if isinstance(given, BaseException):
        return given
    error: BaseException | None = (given if isinstance(given, tuple) else sys.exc_info())[1]
    return error


def _without_values(event: Any, hint: dict[str, Any]) -> Any:
    """The event with what is listed, and nothing else, whatever the library adds."""
    kept = {name: event[name] for name in (*_KEPT, "transaction") if name in event}
    exceptions = [
        {name: each[name] for name in _KEPT_OF_EXCEPTIONS if each.get(name)}
        for each in event.get("exception", {}).get("values", [])
    ]
    tags = {name: value for name, value in event.get("tags", {}).items() if name in ("method", "request_id")}
    return {**kept, "exception": {"values": exceptions}, "tags": tags}
