"""What a region's countries need besides the region, which belongs to apps above."""

from collections.abc import Callable, Sequence

from django.http import HttpRequest
from django.utils.html import format_html, format_html_join

from kit.domain.hooks import AdminWired
from shop.models import Region

REGION_NEEDS = AdminWired[Callable[[HttpRequest, Region], Sequence[str]]]("what the countries of a region need")
"""As sentences of HTML, with links to where it is set up; empty if customers in every country can order."""


def needs_list(needs: Sequence[str]) -> str:
    """The sentences as a list."""
    return format_html("<ul>{}</ul>", format_html_join("", '<li class="mt-1">{}</li>', ((one,) for one in needs)))
