"""Addresses that take one file each, without another credential: a page for staff sends the file there itself.

An address is signed, so that guesses cost no statement. It holds for one file name, one size and VALID_FOR, once.
Why: docs/decisions/http.md#an-upload-address-carries-its-own-credential.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import timedelta
from functools import partial
from typing import IO, BinaryIO, cast

from django.contrib.auth import get_user_model
from django.core.signing import BadSignature, TimestampSigner
from django.db import transaction

from kit.database.locking import retry_on_conflict
from kit.domain.actor import Actor
from kit.errors import InvalidData, NotFound
from kit.spreadsheets import sent_files
from kit.spreadsheets.declarations import SPREADSHEETS
from kit.values.ids import new_id
from kit.values.timestamps import now
from kit.writes.batched_deletion import delete_in_batches
from pictures import originals
from pictures.models import Picture, PresignedUpload
from pictures.receiving import PERMISSION, fault, keep_original, record

PATH = "/uploads/"
VALID_FOR = timedelta(minutes=15)
_SIGNER = TimestampSigner(salt="pictures.presigned", sep=".")
"""The separator makes a token look like a JWT to what masks secrets in logs (settings.SECRETS)."""


@dataclass(frozen=True, slots=True)
class SignedUpload:
    """What an address holds for. id: of the file. size: in bytes. user_id: who asked for it.

    is_spreadsheet: whether the file is a spreadsheet, for an import, and no picture.
    """

    id: str
    size: int
    user_id: str | None
    is_spreadsheet: bool = False


def may_send(may: Callable[[str], bool], *, is_spreadsheet: bool) -> bool:
    """Whether somebody with these permissions may send a picture; a spreadsheet, also who may import one."""
    imports = (one.importing for one in SPREADSHEETS.get().values()) if is_spreadsheet else ()
    return may(PERMISSION) or any(all(map(may, needed)) for needed in imports)


def sign(*, actor: Actor, size: int, is_spreadsheet: bool = False) -> tuple[str, str]:
    """The token of a new address for a file of that many bytes, and the file's id. Raises Forbidden."""
    if not may_send(actor.may, is_spreadsheet=is_spreadsheet):
        actor.require(PERMISSION)
    signed = SignedUpload(new_id("file"), size, actor.id, is_spreadsheet)
    return _SIGNER.sign_object(asdict(signed)), signed.id


def opened(token: str) -> SignedUpload:
    """What the address holds for.

    Raises NotFound for a token that is altered, expired or used, and where its user may not upload any more.
    """
    with suppress(BadSignature):
        signed = SignedUpload(**_SIGNER.unsign_object(token, max_age=VALID_FOR))
        user = get_user_model().objects.filter(pk=signed.user_id).first()
        is_used = PresignedUpload.objects.filter(pk=signed.id).exists()
        if user is not None and not is_used and may_send(user.has_perm, is_spreadsheet=signed.is_spreadsheet):
            return signed
    raise NotFound("This address takes no file: it is altered, expired or used. Ask for a new one")


def receive(signed: SignedUpload, file: IO[bytes]) -> Picture:
    """The picture of the file, which lies in the directory of originals.

    Raises NotFound if the address is used meanwhile, and InvalidData for a file of another size or no picture, after
    which the address is used, too. Raises Conflict if rows stay locked: the address then takes the file again.
    """
    size = _checked_size(signed, file)
    if reason := fault(file, size):
        _used(signed)
        raise InvalidData(f"The file {reason}")
    return retry_on_conflict(partial(_received, signed, file.name, originals.digest_of(file)))


def receive_spreadsheet(signed: SignedUpload, file: IO[bytes]) -> None:
    """Keep a spreadsheet until its user imports it. Raises as `receive` does."""
    _checked_size(signed, file)
    _used(signed)
    sent_files.keep(str(signed.user_id), signed.id, cast("BinaryIO", file))


def _checked_size(signed: SignedUpload, file: IO[bytes]) -> int:
    size = file.seek(0, os.SEEK_END)
    if size != signed.size:
        _used(signed)
        raise InvalidData(f"The file must have the {signed.size} bytes that the address was made for")
    return size


@transaction.atomic
def _received(signed: SignedUpload, name: str, digest: str) -> Picture:
    upload = _used(signed)
    upload.picture = picture = record(digest, signed.size, created_by=signed.user_id)
    upload.save(update_fields=["picture"])
    keep_original(picture, name)
    return picture


def _used(signed: SignedUpload) -> PresignedUpload:
    upload, is_first = PresignedUpload.objects.get_or_create(pk=signed.id)
    if not is_first:
        raise NotFound("This address has been used. Ask for a new one")
    return upload


def discard_expired() -> int:
    """Delete the rows of uploads that were refused, once their addresses have expired; returns how many."""
    return delete_in_batches(PresignedUpload.objects.filter(picture=None, used_at__lt=now() - VALID_FOR))
