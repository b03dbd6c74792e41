"""Limits of what clients store: new carts, new lines of carts, and KiB of everything else, by client address.

Counted before the work, in one statement; so what a refused request would have stored counts, too. Staff and secret
keys are exempt. Why: docs/decisions/operations.md#what-strangers-store-is-counted-before-it-is-stored.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from secrets import randbelow
from typing import Any, ClassVar

from django.db import DatabaseError, InterfaceError, OperationalError
from django.http import HttpResponse

from kit.database.raw_sql import renew_if_dead
from kit.domain.actor import Actor
from kit.errors import Unavailable
from kit.rest.endpoint import Endpoint
from kit.rest.requests.client_address import client_address
from kit.safety.throttling import counters

CARTS, LINES, KIB = "new_carts", "new_lines", "stored_kib"
"""Throttles, in the order in which their counters are locked."""

_KIB = 1024
Amounts = Mapping[str, int]
Adds = Callable[[Mapping[str, Any]], Amounts]
"""What a request adds, by throttle. It gets the body or the input before they are validated, and the row's `id`."""


def a_row(_: Mapping[str, Any]) -> Amounts:
    """A row of its own: an address, a session."""
    return {KIB: 1}


def count(meta: Mapping[str, Any], *added: Amounts, sent: bytes, is_keyed: bool) -> None:
    """Count what a request will store, before any transaction. Raises TooManyRequests.

    meta: its WSGI environment. sent: its body, of which each full KiB counts.
    is_keyed: whether an Idempotency-Key stores its response.
    """
    totals = {throttle: sum(each.get(throttle, 0) for each in added) for throttle in (CARTS, LINES, KIB)}
    totals[KIB] += _kib(sent) + is_keyed
    amounts = {throttle: amount for throttle, amount in totals.items() if amount}
    if amounts:
        subjects = dict.fromkeys(amounts, client_address(meta))
        try:
            counters.hit_each(subjects, amounts)
        except OperationalError:
            if not renew_if_dead():
                raise
            counters.hit_each(subjects, amounts)


def charge_response(meta: Mapping[str, Any], size: int) -> None:
    """Count the stored response to a request that `count` has counted with one KiB. size: in bytes.

    The work is committed: where the database is gone by now, the response is sent uncounted.
    """
    if size >= 2 * _KIB:
        with suppress(DatabaseError, InterfaceError, Unavailable):
            counters.charge({KIB: client_address(meta)}, {KIB: size // _KIB - 1})


def is_exempt(caller: object) -> bool:
    """Whether the caller may store as much as they like: staff, and programs with secret keys."""
    return isinstance(caller, Actor) and caller.type == "user"


class StorageLimits(Endpoint):
    """Base of routes by which shoppers store something: POST requests are counted.

    adds: by action, what it adds, besides each full KiB of the body and the response that an Idempotency-Key stores.
    """

    adds: ClassVar[Mapping[str, Adds]] = {}

    def perform(self) -> HttpResponse:
        """Count first, but nothing of a large invalid body, which would use up the limit of all at the address."""
        if self._is_counted():
            sent = self.request._request.body
            if len(sent) >= _KIB:
                self.take_body()
            adds = self.adds.get(self.action)
            added = [adds({**self._json, **self.kwargs})] if adds else []
            is_keyed = self.accepts_idempotency_key and "HTTP_IDEMPOTENCY_KEY" in self.request.META
            count(self.request.META, *added, sent=sent, is_keyed=is_keyed)
        return super().perform()

    def response_stored(self, size: int) -> None:
        if self._is_counted():
            charge_response(self.request.META, size)

    def _is_counted(self) -> bool:
        if self.request.method != "POST":
            return False
        return not (self._has_credential(self.request) and is_exempt(self.request.user))


def _kib(sent: bytes) -> int:
    """The full KiB. Metadata is merged, so that its remainders add up: one in 1,024 bytes of them counts as a KiB."""
    kib, rest = divmod(len(sent), _KIB)
    may_add_up = b"metadata" in sent or b"\\u" in sent  # an escaped letter hides a word
    return kib + (may_add_up and randbelow(_KIB) < rest)
