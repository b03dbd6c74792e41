"""The Idempotency-Key header: the work of one key is done once, later requests with it get the same answer.

The record itself: kit/safety/idempotency. Why: docs/decisions/http.md#one-lock-timeout-then-a-409.
"""

from collections.abc import Callable
from typing import Any

from django.db import OperationalError
from django.http import HttpRequest, HttpResponse

from kit.database.reruns import RerunRequired
from kit.domain.actor import Actor
from kit.errors import Conflict
from kit.rest.responses.renderers import json_answer
from kit.safety.idempotency.replay import Answer, fingerprint, idempotency_digest, is_answered, run_once, valid_key


def once_per_key(
    request: HttpRequest,
    actor: Actor,
    handle: Callable[[], dict[str, Any]],
    refuse: Callable[[Exception], HttpResponse],
    *,
    prepare: Callable[[str], None] | None = None,
    is_final: Callable[[dict[str, Any] | None], bool] | None = None,
    stored: Callable[[int], None] | None = None,
) -> HttpResponse:
    """Run the handler unless a response is stored for this actor's key; see run_once for what is stored.

    prepare: the handler's work before its transaction, called with the key's digest. Concurrent requests with the same
    key may all do it.
    is_final: whether the handler's answer, or a refusal (None), may be kept; by default, each may.
    stored: called after the transaction with the bytes that are kept of the response.
    """
    key = valid_key(request.META["HTTP_IDEMPOTENCY_KEY"], anonymous=actor.type == "anonymous")
    owner = _owner(actor)
    if prepare is not None:
        if is_answered(actor=owner, key=key):
            handle = _outlived
        else:
            prepare(idempotency_digest(actor=owner, key=key))

    response = HttpResponse()

    def work() -> Answer:
        nonlocal response
        done: dict[str, Any] | None = None
        try:
            done = handle()
            response = json_answer(done)
        except (OperationalError, RerunRequired):
            raise  # a lost race, or a rerun: run_once starts again
        except Exception as exception:  # noqa: BLE001 - a refusal is an answer too, and may be kept
            response = refuse(exception)
        return Answer(response.status_code, response.content, is_final=is_final is None or is_final(done))

    query = request.META.get("QUERY_STRING", "")
    mark = fingerprint(request.method or "", request.path, query, request.body)
    named = f"{request.path}?{query}".encode() + request.body
    answer = run_once(actor=owner, key=key, fingerprint=mark, work=work, request=named)
    if stored is not None and answer.stored_size:
        stored(answer.stored_size)
    if not answer.replayed:
        return response  # with the headers of a refusal that is not kept, such as Retry-After
    replayed = {"Idempotent-Replayed": "true"}
    return HttpResponse(answer.body, status=answer.status, content_type="application/json", headers=replayed)


def _owner(actor: Actor) -> str:
    """Whose key it is. A secret key has its own, as it may be limited: it must not get what its maker was answered."""
    by_secret_key = actor.type == "user" and actor.through is not None
    return f"{actor.mark}:{actor.through}" if by_secret_key else actor.mark


def _outlived() -> dict[str, Any]:
    """The stored response expired after it was found, and the work before the transaction was skipped."""
    raise Conflict
