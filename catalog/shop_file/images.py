"""Pictures in a shop file: addresses, or the names of files beside it."""

from dataclasses import dataclass
from typing import ClassVar

from catalog.models import ProductImage
from kit.domain.absent import ABSENT
from kit.shop_file.problems import Problems
from kit.shop_file.values import Entry, InvalidValue, Metadata, Object, Text
from kit.shop_file.values.objects import List
from kit.values.json import JSON
from pictures.finding import address_fault
from pictures.local_files import UnusableFile, address_of, dumped_name


@dataclass(frozen=True, kw_only=True)
class PictureAddress(Text):
    """An address, or a local file, which is copied into the shop."""

    def parse(self, raw: object) -> str:
        try:
            address = address_of(super().parse(raw))
        except UnusableFile as refusal:
            raise InvalidValue(refusal.message) from refusal
        if fault := address_fault(address):
            raise InvalidValue(f"is not the address of a picture. {fault}, or the name of a file beside the shop file")
        return address


_FIELDS = {"url": PictureAddress(required=True), "metadata": Metadata()}


class Image(Object):
    """An image: its address, or an object with address and metadata; `metadata.alt` is the alternative text."""

    expected: ClassVar[str] = "a text or an object"

    def read(self, raw: object, path: str, problems: Problems) -> object:
        if not isinstance(raw, str):
            return super().read(raw, path, problems)
        url = _FIELDS["url"].read(raw, path, problems)
        return url if url is ABSENT else Entry(path, {"url": url}, is_sound=True)


class ImageList(List):
    """The images of a product, in their order."""

    def element(self) -> Image:
        return Image(fields=_FIELDS)


def dumped_image(image: ProductImage) -> JSON:
    """The image as `Image` reads it."""
    url = dumped_name(image.url)
    return {"url": url, "metadata": image.metadata} if image.metadata else url
