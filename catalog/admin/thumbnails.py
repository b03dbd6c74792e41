"""Thumbnails."""

from django.utils.html import format_html
from django.utils.safestring import SafeString

from pictures.names import copy_of, digest_in

_BOX = "h-10 w-10 object-cover rounded-default border border-base-200 dark:border-base-800"


def picture(url: str | None, *, width: int = 160) -> SafeString | str:
    """An image as high as a row of a list; "" without a URL. width: of the copy to load, of a picture of this shop."""
    if not url:
        return ""
    own = "data-own" if digest_in(url) else ""
    image = '<img src="{}" alt="" loading="lazy" class="{}" style="min-width: 2.5rem" {}>'
    return format_html(image, copy_of(url, width), _BOX, own)
