"""Deleting a picture before `prune` does."""

from collections.abc import Sequence

from django.db import transaction

from kit.database.locking import lock_rows
from kit.domain.actor import Actor
from kit.domain.hooks import Wired
from kit.errors import Conflict, NotAllowed, NotFound, Unavailable
from pictures import expiry
from pictures.models import Picture
from pictures.states import PictureStatus

COLUMNS = Wired[Sequence[expiry.Column]]("the columns that may name pictures")


def delete(*, actor: Actor, file_id: str) -> None:
    """Delete the picture and its files.

    What may name it is read before the picture is locked, since those tables are large. Whoever names it meanwhile has
    set `judged_at` under the same lock.
    Raises Forbidden, NotFound, NotAllowed while it is being converted or something names it, Conflict if it is uploaded
    or attached meanwhile, and Unavailable if the storage fails.
    """
    actor.require("pictures.delete_picture")
    found = Picture.objects.visible_to(actor).with_id(file_id)
    if found is None:
        raise NotFound(f"File with id: {file_id} was not found")
    if found.status == PictureStatus.PROCESSING:
        raise NotAllowed("The file is being converted. Delete it once it is ready")
    if expiry.is_named(found.digest, COLUMNS.get()):
        raise NotAllowed("The file is used, for example by a product, a cart or an order")
    with transaction.atomic():
        if not lock_rows(Picture.objects.filter(pk=found.pk, status=found.status, judged_at=found.judged_at)):
            raise Conflict
        try:
            expiry.discard(found)
        except OSError as error:
            raise Unavailable("The storage of pictures cannot be reached. Try again later") from error
