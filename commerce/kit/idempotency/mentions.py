"""Whom a request and its answer name, so that erasing a person finds stored answers, which only their keys can open.

Source: orders.md 8.22.
"""

from collections.abc import Callable, Collection, Iterable, Iterator

from django.db.models import Q
from django.utils.crypto import salted_hmac

from commerce.kit.core.wired import Wired
from commerce.kit.idempotency.models import Record

NAMES_IN = Wired[Callable[[bytes], Iterable[bytes]]]("what names a person in stored answers")
"""Finds the ids and e-mail addresses in a text."""


def mentions(*texts: bytes) -> str:
    """The digests of all names in the texts, in any letter case."""
    found = {name.decode().lower() for text in texts for name in NAMES_IN.get()(text)}
    return " ".join(sorted(map(_digest, found)))


def erase_responses(*, names: Collection[str], actors: Collection[str]) -> int:
    """Empty stored answers that name one of these, or were given to one of the actors; returns how many.

    A request with the same key is refused as a Conflict, since its answer can no longer be read: no work is done twice.
    names: ids and e-mail addresses. Reads all digests: records live for a day.
    """
    wanted = {_digest(name.lower()) for name in names}
    found = [record_id for record_id, digests in _stored() if not wanted.isdisjoint(digests.split())]
    theirs = Record.objects.filter(Q(pk__in=found) | Q(actor__in=actors)).exclude(body=b"")
    return theirs.update(body=b"", mentions="")


def _stored() -> Iterator[tuple[int, str]]:
    return Record.objects.exclude(mentions="").values_list("pk", "mentions").iterator()


def _digest(name: str) -> str:
    """Keyed, since e-mail addresses are few enough to be guessed from a plain hash; 64 bits tell people apart."""
    return salted_hmac("commerce.idempotency.mentions", name, algorithm="sha256").hexdigest()[:16]
