"""Deleting a picture before `prune` does."""

from collections.abc import Sequence

from django.db import transaction

from kit.database.locking import lock_row
from kit.domain.actor import Actor
from kit.domain.hooks import Wired
from kit.errors import NotAllowed, NotFound, Unavailable
from pictures import expiry
from pictures.models import Picture
from pictures.states import PictureStatus

COLUMNS = Wired[Sequence[expiry.Column]]("the columns that may name pictures")


@transaction.atomic
def delete(*, actor: Actor, file_id: str) -> None:
    """Delete the picture and its files.

    Raises Forbidden, NotFound, NotAllowed while it is being converted or something names it, and Unavailable if the
    storage fails.
    """
    actor.require("pictures.delete_picture")
    found = Picture.objects.visible_to(actor).with_id(file_id)
    row = lock_row(Picture.objects.all(), found.pk) if found else None
    if row is None:
        raise NotFound(f"File with id: {file_id} was not found")
    if row.status == PictureStatus.PROCESSING:
        raise NotAllowed("The file is being converted. Delete it once it is ready")
    if expiry.is_named(row.digest, COLUMNS.get()):
        raise NotAllowed("The file is used, for example by a product, a cart or an order")
    try:
        expiry.discard(row)
    except OSError as error:
        raise Unavailable("The storage of pictures cannot be reached. Try again later") from error
