"""Digests of the ids and email addresses in stored requests and responses.

Erasing a person finds stored responses by them, since only the keys of the requests can decrypt those.
"""

from collections.abc import Callable, Collection, Iterable, Iterator

from django.db.models import Q

from kit.domain.hooks import Wired
from kit.safety.idempotency.models import Record
from kit.safety.keyed_digests import keyed_digest, keyed_digests

NAMES_IN = Wired[Callable[[bytes], Iterable[bytes]]]("what identifies a person in stored responses")
"""Finds the ids and email addresses in a text."""

MENTION_DIGESTS = "commerce.idempotency.mentions"
_DIGITS = 16
"""64 bits are enough to avoid collisions. The digests are keyed: a plain hash of an email address could be guessed."""


def mentions(*texts: bytes) -> str:
    """The digests of all names in the texts, in any letter case."""
    found = {name.decode().lower() for text in texts for name in NAMES_IN.get()(text)}
    return " ".join(sorted(keyed_digest(MENTION_DIGESTS, name)[:_DIGITS] for name in found))


def erase_responses(*, names: Collection[str], actors: Collection[str]) -> int:
    """Empty the stored responses that mention one of the names or belong to one of the actors; returns their number.

    A request with the same key is then a Conflict, so no work is done twice.
    names: ids and email addresses. Reads all digests, since records live only for a day.
    """
    wanted = {digest[:_DIGITS] for name in names for digest in keyed_digests(MENTION_DIGESTS, name.lower())}
    found = [record_id for record_id, digests in _stored() if not wanted.isdisjoint(digests.split())]
    theirs = Record.objects.filter(Q(pk__in=found) | Q(actor__in=actors)).exclude(body=b"")
    return theirs.update(body=b"", mentions="")


def _stored() -> Iterator[tuple[int, str]]:
    return Record.objects.exclude(mentions="").values_list("pk", "mentions").iterator()
