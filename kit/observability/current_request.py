"""The request that this thread serves, for reports of errors."""

from contextvars import ContextVar

from django.http import HttpRequest

current_request: ContextVar[HttpRequest | None] = ContextVar("current_request", default=None)
