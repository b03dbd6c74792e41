"""Which addresses of pictures may be attached to products."""

from commerce.kit.core.timestamps import now
from commerce.pictures.errors import UnusablePicture
from commerce.pictures.models import Picture
from commerce.pictures.names import digest_in, path_in
from commerce.pictures.states import PictureStatus


def usable_address(address: str) -> str:
    """The address as rows store it: a picture of this shop without its host, any other address unchanged.

    `prune` keeps the picture for another day, within which the caller must save the row that names it.
    Raises UnusablePicture for a picture of this shop that does not exist or has failed.
    """
    digest = digest_in(address)
    if digest is None:
        return address
    Picture.objects.filter(digest=digest).update(judged_at=now())  # waits for a prune that is deleting it
    picture = Picture.objects.filter(digest=digest).first()
    if picture is None:
        raise UnusablePicture("There is no such picture: upload it first")
    if picture.status == PictureStatus.FAILED:
        raise UnusablePicture(f"The picture cannot be used. {picture.reason}")
    return path_in(address) or address
