"""Thumbnails."""

from django.utils.html import format_html
from django.utils.safestring import SafeString


def picture(url: str | None) -> SafeString | str:
    """An image as high as a row of a list; "" without a URL."""
    if not url:
        return ""
    box = "h-10 w-10 object-cover rounded-default border border-base-200 dark:border-base-800"
    return format_html('<img src="{}" alt="" loading="lazy" class="{}" style="min-width: 2.5rem">', url, box)
