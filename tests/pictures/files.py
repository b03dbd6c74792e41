"""Picture files, made by Pillow, and requests that upload them."""

from io import BytesIO
from pathlib import Path
from typing import Any

import factory
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from PIL import Image

from pictures import presigned
from pictures.models import Picture
from staff.actors import staff_actor
from staff.models import User
from tests.factories.staff import UserFactory

RED, BLUE = (200, 10, 10), (10, 10, 200)
ORIENTATION, GPS = 0x0112, 0x8825


def picture(format: str = "PNG", *, size: tuple[int, int] = (600, 300), mode: str = "RGB", **options: Any) -> bytes:
    """A file: its left half is red, its right half blue."""
    image = Image.new("RGB", size, RED)
    image.paste(BLUE, (size[0] // 2, 0, *size))
    written = BytesIO()
    image.convert(mode).save(written, format, **options)
    return written.getvalue()


def with_exif(*, orientation: int) -> bytes:
    """A JPEG with an orientation, a place and a comment."""
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    exif.get_ifd(GPS)[1] = "N"
    return picture("JPEG", exif=exif, comment=b"taken at home")


def form(*files: bytes, field: str = "files") -> dict[str, Any]:
    """A multipart form, as the arguments of a Caller's `post`."""
    named = []
    for place, content in enumerate(files):
        file = BytesIO(content)
        file.name = f"../../photo {place}.php"
        named.append(file)
    return {"body": encode_multipart(BOUNDARY, {field: named}), "content_type": MULTIPART_CONTENT}


def signed_path(size: int | None = None, *, by: User | None = None) -> str:
    """The address for a file of that size, that of `picture()` unless specified otherwise."""
    user = by or UserFactory(permissions=["pictures.add_picture"])
    token, _ = presigned.sign(actor=staff_actor(user), size=size or len(picture()))
    return f"/uploads/{token}"


class PictureFactory(factory.django.DjangoModelFactory[Picture]):
    """A picture that is ready."""

    digest = factory.Sequence(lambda number: f"{number:064x}")
    size = 1000
    status = "ready"

    class Meta:
        model = Picture


def stored(**fields: Any) -> Picture:
    """A picture with its files."""
    row = PictureFactory(**fields)
    for width in ("", "-160", "-480", "-1200"):
        default_storage.save(f"{row.digest}{width}.webp", ContentFile(b"picture"))
    return row


def opened(content: bytes) -> Image.Image:
    """The picture in a file."""
    return Image.open(BytesIO(content))


def kept(folders: Path) -> list[str]:
    """The names of the files that were received and are not converted yet."""
    return sorted(path.name for path in (folders / "uploads").glob("*"))
