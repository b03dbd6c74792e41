"""Fetching pictures from hosts on the public internet, as uploads.

Fetched pictures are checked, stored, converted and pruned as those that staff upload. The shop remembers the address of
each (PictureSource), so that it is fetched once.
"""

import os
import time
from collections import Counter
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from hashlib import sha256
from http.client import HTTPResponse
from tempfile import NamedTemporaryFile
from typing import IO
from urllib.parse import quote, urldefrag, urljoin

from django.conf import settings
from django.db import transaction
from django.db.models import Sum

from kit.database.locking import retry_on_conflict
from kit.domain.actor import Actor
from kit.errors import InvalidData
from kit.messages.webhooks.delivery.exchange import answered
from kit.messages.webhooks.delivery.failures import DeliveryFailed
from kit.messages.webhooks.endpoints.targets import Target, target_of
from pictures import originals
from pictures.models import Picture, PictureSource
from pictures.names import path_in, path_of
from pictures.receiving import EXTENSIONS, LARGEST_FILE, PERMISSION, fault, keep_original, record
from pictures.states import PictureStatus

AT_ONCE = 4
SECONDS = 20.0
"""For one picture, with its redirects: less than the lease of a job, which is renewed between them."""
MOST_REDIRECTS = 3
MOST_FAILURES = 4
"""After this many failures in a row, a host is not asked again."""
MOST_WAITING = 4 * 1024**3
"""Bytes. Once the pictures that wait for conversion have this size, each thread finishes one; no more are fetched."""
_MOST_BYTES = LARGEST_FILE + 1024 * 1024
"""Of a picture with the head of its answer."""
_CHUNK = 64 * 1024
_REDIRECTS = (301, 302, 303, 307, 308)
_SAFE = "%/:?#[]@!$&'()*+,;=~"
"""Characters of an address that are not percent-encoded, besides letters, digits and `_.-~`."""


def is_elsewhere(address: str) -> bool:
    """Whether the address is one of another host, and no picture or file of this shop."""
    own = f"{settings.PUBLIC_URL}/"
    is_own = path_in(address) is not None or (own != "/" and address.startswith(own))
    return address.lower().startswith(("http://", "https://")) and not is_own


def copies_of(addresses: Collection[str]) -> dict[str, str]:
    """The paths of fetched pictures by address. Those whose conversion failed are missing, to be fetched again."""
    by_digest = {_digest_of(address): address for address in addresses}
    rows = PictureSource.objects.filter(pk__in=by_digest).exclude(picture__status=PictureStatus.FAILED)
    return {by_digest[key]: path_of(digest) for key, digest in rows.values_list("pk", "picture__digest")}


class Fetching:
    """The fetching of one import, a few at a time, by threads that use no database."""

    def __init__(self, actor: Actor) -> None:
        self._actor, self._failures = actor, Counter[str]()

    def fetch(self, addresses: Collection[str], go_on: Callable[[], None]) -> dict[str, str]:
        """Store the pictures of these addresses. Returns the reason for each address that failed, in whole sentences.

        go_on: called before each few of them; it raises if the work must end. Call this outside of transactions.
        Raises Forbidden, Conflict.
        """
        waiting = Picture.objects.filter(status=PictureStatus.PROCESSING).aggregate(sum=Sum("size"))["sum"] or 0
        rest, refused = [*dict.fromkeys(addresses)], dict[str, str]()
        with ThreadPoolExecutor(AT_ONCE, "picture") as pool:
            while rest:
                go_on()
                self._actor.require(PERMISSION)
                futures = {address: pool.submit(self._attempt, address, waiting) for address in rest[:AT_ONCE]}
                rest = rest[AT_ONCE:]
                for address, future in futures.items():
                    try:
                        with future.result() as file:
                            waiting += self._keep(address, file)
                        self._failures[_host(address)] = 0
                    except DeliveryFailed as failure:
                        is_silent = failure.status is None
                        self._failures[_host(address)] = self._failures[_host(address)] + 1 if is_silent else 0
                        refused[address] = f"The picture could not be fetched. {failure.reason}."
        return refused

    def _attempt(self, address: str, waiting: int) -> IO[bytes]:
        if waiting >= MOST_WAITING:
            raise DeliveryFailed("Too many pictures are waiting to be converted. Import the file again later", status=0)
        if self._failures[_host(address)] >= MOST_FAILURES:
            raise DeliveryFailed("Its host failed several times in a row, so it was not asked again")
        return _received(address)

    def _keep(self, address: str, file: IO[bytes]) -> int:
        size = file.seek(0, os.SEEK_END)
        recording = partial(_recorded, address, file.name, originals.digest_of(file), size, self._actor.id)
        retry_on_conflict(recording)
        return size


@transaction.atomic
def _recorded(address: str, name: str, digest: str, size: int, created_by: str | None) -> None:
    picture = record(digest, size, created_by=created_by)
    PictureSource.objects.update_or_create(pk=_digest_of(address), defaults={"picture": picture})
    keep_original(picture, name)


def _received(address: str) -> IO[bytes]:
    """What the address answers, in a file in the directory of originals. Raises DeliveryFailed."""
    begun, url = time.monotonic(), address
    headers = {"user-agent": f"Commerce/{settings.VERSION}", "accept": ", ".join(EXTENSIONS)}
    for _ in range(MOST_REDIRECTS + 1):
        with answered(
            _target(url), "GET", None, headers, seconds=SECONDS, most_bytes=_MOST_BYTES, begun=begun
        ) as answer:
            place = answer.getheader("location")
            if answer.status in _REDIRECTS and place:
                url = urljoin(url, place)
                continue
            if answer.status != 200:
                raise DeliveryFailed(f"Its host answered with status {answer.status}", status=answer.status)
            return _checked(answer)
    raise DeliveryFailed(f"Its address redirects more than {MOST_REDIRECTS} times", status=0)


def _target(url: str) -> Target:
    try:
        return target_of(quote(urldefrag(url).url, safe=_SAFE), may_be_plain=True)
    except (InvalidData, ValueError):
        reason = "Its address must begin with http or https, be on a public host and contain no password"
        raise DeliveryFailed(reason, status=0) from None


def _checked(answer: HTTPResponse) -> IO[bytes]:
    with ExitStack() as opened:
        file = opened.enter_context(
            NamedTemporaryFile(dir=originals.directory(), suffix=originals.PARTIAL, buffering=0)
        )
        size = answer.length or 0
        if size <= LARGEST_FILE:
            size = _copied(answer, file)
        if reason := fault(file, size):
            raise DeliveryFailed(f"The file {reason}", status=answer.status)
        opened.pop_all()
        return file


def _copied(answer: HTTPResponse, file: IO[bytes]) -> int:
    """Returns how many bytes, which are too many where the rest was not read."""
    size = 0
    while size <= LARGEST_FILE and (chunk := answer.read(_CHUNK)):
        size += len(chunk)
        _store(file, chunk)
    if size <= LARGEST_FILE and answer.length:
        raise DeliveryFailed("The connection broke", status=answer.status)
    return size


def _store(file: IO[bytes], chunk: bytes) -> None:
    try:
        rest = memoryview(chunk)
        while rest:
            rest = rest[file.write(rest) :]
    except OSError as error:  # not the host's: it is asked for the next picture
        raise DeliveryFailed(f"It could not be stored: {error.strerror}", status=0) from error


def _digest_of(address: str) -> str:
    return sha256(address.encode()).hexdigest()


def _host(address: str) -> str:
    return "".join(address.split("/")[2:3])
