"""Which addresses of pictures may be attached to products."""

from collections.abc import Collection

from kit.database.locking import lock_rows
from kit.values.timestamps import now
from pictures.errors import UnusablePicture
from pictures.models import Picture
from pictures.names import digest_in, path_in
from pictures.states import PictureStatus


def usable_address(address: str) -> str:
    """The address as rows store it: a picture of this shop without its host, any other address unchanged.

    `prune` keeps the picture for another day, within which the caller must save the row that names it.
    Raises UnusablePicture for a picture of this shop that does not exist or has failed.
    """
    found = usable_addresses([address])[address]
    if isinstance(found, UnusablePicture):
        raise found
    return found


def usable_addresses(addresses: Collection[str]) -> dict[str, str | UnusablePicture]:
    """For each address what `usable_address` returns or raises. At most two statements."""
    digests = {address: digest for address in addresses if (digest := digest_in(address)) is not None}
    rows = Picture.objects.filter(digest__in={*digests.values()})
    pictures = {row.digest: row for row in lock_rows(rows)} if digests else {}  # waits for a prune that deletes some
    if pictures:
        rows.update(judged_at=now())
    return {
        address: _judged(address, pictures.get(digests[address])) if address in digests else address
        for address in addresses
    }


def _judged(address: str, picture: Picture | None) -> str | UnusablePicture:
    if picture is None:
        return UnusablePicture("There is no such picture: upload it first")
    if picture.status == PictureStatus.FAILED:
        return UnusablePicture(f"The picture cannot be used. {picture.reason}")
    return path_in(address) or address
