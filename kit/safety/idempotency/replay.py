"""Work that is done once per Idempotency-Key, and its answer, which every further sending gets back.

Why: docs/decisions/http.md#the-record-of-a-key-is-inserted-first,
docs/decisions/http.md#an-idempotency-key-keeps-final-responses.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from django.conf import settings
from django.db import transaction

from kit.database.locking import retry_on_conflict
from kit.errors import Duplicate, InvalidData
from kit.safety.idempotency.mentions import mentions
from kit.safety.idempotency.models import Record
from kit.safety.idempotency.sealing import seal, unseal
from kit.values.timestamps import now
from kit.writes.batched_deletion import delete_in_batches

_STORED_REFUSALS = frozenset({400, 404, 422})
_LONGEST_KEY = 255
_SHORTEST_ANONYMOUS_KEY = 20


class KeyOfAnotherRequest(Duplicate):
    """An Idempotency-Key stands for one request."""

    message = "The Idempotency-Key was used before for a request with another method, path, query or body"


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer: `body` is JSON text; `replayed`: an earlier request did the work.

    is_final: whether the same request cannot fare better later. stored_size: the bytes that are kept of it.
    """

    status: int
    body: bytes
    replayed: bool = False
    is_final: bool = True
    stored_size: int = field(default=0, compare=False)

    @property
    def is_success(self) -> bool:
        """Whether the work's changes stand."""
        return 200 <= self.status < 300

    @property
    def is_stored(self) -> bool:
        """Whether the response is replayed later: not if the same request may succeed after a login or a wait."""
        return self.is_final and (self.is_success or self.status in _STORED_REFUSALS)


def valid_key(key: str, *, anonymous: bool) -> str:
    """The key, if it is 1 to 255 visible ASCII characters, and at least 20 for an anonymous caller.

    All anonymous callers share one space of keys, so theirs must be too long to be guessed or to meet by chance.
    Raises InvalidData naming the header.
    """
    shortest = _SHORTEST_ANONYMOUS_KEY if anonymous else 1
    if not shortest <= len(key) <= _LONGEST_KEY or not all("!" <= character <= "~" for character in key):
        whose = " of an anonymous caller" if anonymous else ""
        raise InvalidData(
            f"The header Idempotency-Key{whose} must hold {shortest} to {_LONGEST_KEY} visible ASCII characters"
        )
    return key


def fingerprint(method: str, path: str, query: str, body: bytes) -> str:
    """What makes two requests the same, as 64 hex characters."""
    return _digest(method, path, query, body)


def idempotency_digest(*, actor: str, key: str) -> str:
    """The digest of the actor's key that rows of unfinished work store, as 64 hex characters.

    Work that calls providers between its transactions uses it to find and resume what an interrupted request with the
    key began. It does not cover the request itself: callers must check that the row is about the same work.
    """
    return _digest(actor, key)


def is_answered(*, actor: str, key: str) -> bool:
    """Whether run_once would do no work for the key, for now. It neither claims the key nor waits for who holds it."""
    living = now() - settings.IDEMPOTENCY_LIFETIME
    return Record.objects.filter(actor=actor, key_digest=_digest(key), created_at__gte=living).exists()


def run_once(*, actor: str, key: str, fingerprint: str, work: Callable[[], Answer], request: bytes = b"") -> Answer:
    """Do the work in one transaction with the record of its answer, or return the answer of the earlier request.

    actor: whose key it is, at most 160 characters. fingerprint: of the request, by the function of that name.
    work: changes of any answer but 2xx are undone. It is called again after a deadlock or serialization failure
    (retry_on_conflict is in here, callers need none), so it must start over each time.
    request: the text of the request, which is searched for mentions, as the response is.

    Answers 2xx, 400, 404 and 422 are kept for settings.IDEMPOTENCY_LIFETIME; all others leave no trace, and so does an
    exception out of the work. Must not be called inside a transaction (RuntimeError).
    Raises KeyOfAnotherRequest, Conflict where a request with the same key is still
    running, or where the kept answer can no longer be read.
    """
    return retry_on_conflict(
        lambda: _run_once(actor=actor, key=key, fingerprint=fingerprint, work=work, request=request)
    )


def discard_expired() -> int:
    """Delete the records past their lifetime; returns how many."""
    return delete_in_batches(Record.objects.filter(created_at__lt=now() - settings.IDEMPOTENCY_LIFETIME))


def _run_once(*, actor: str, key: str, fingerprint: str, work: Callable[[], Answer], request: bytes) -> Answer:
    # The key's digest is not keyed with SECRET_KEY: after a change of that secret the record must still be found, and
    # be a Conflict if it is unreadable, rather than be missed and the work done again.
    key_digest = _digest(key)
    request_digest = _digest(key, fingerprint)  # mixed with the key, so that a stolen table confirms no guessed body
    moment = now()
    with transaction.atomic(durable=True):
        record_id = Record.objects.claim(
            actor=actor,
            key_digest=key_digest,
            fingerprint=request_digest,
            now=moment,
            expired=moment - settings.IDEMPOTENCY_LIFETIME,
        )
        if record_id is None:
            record = Record.objects.get(actor=actor, key_digest=key_digest)
            return _replay(record, key=key, request_digest=request_digest)
        answer = _attempt(work)
        if not answer.is_stored:
            transaction.set_rollback(True)
            return answer
        body, named = seal(answer.body, key=key), mentions(request, answer.body)
        Record.objects.filter(pk=record_id).update(status=answer.status, body=body, mentions=named)
        return replace(answer, stored_size=len(body) + len(named))


def _attempt(work: Callable[[], Answer]) -> Answer:
    """The work's answer; what the work changed stays only where it succeeded."""
    with transaction.atomic():
        answer = work()
        if not answer.is_success:
            transaction.set_rollback(True)
        return answer


def _replay(record: Record, *, key: str, request_digest: str) -> Answer:
    if record.fingerprint != request_digest:
        raise KeyOfAnotherRequest
    return Answer(status=record.status, body=unseal(bytes(record.body), key=key), replayed=True)


def _digest(*parts: str | bytes) -> str:
    """64 hex characters that stand for the parts in their order; each part's length keeps it apart from the next."""
    whole = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        whole.update(len(data).to_bytes(8) + data)
    return whole.hexdigest()
