"""The taxes of a region's countries, which belong to the taxes app."""

from collections.abc import Callable

from django.http import HttpRequest

from kit.domain.hooks import AdminWired
from shop.models import Region

TAX_TABLE = AdminWired[Callable[[HttpRequest, Region], str]]("which taxes apply in the countries of a region")
"""As HTML, with links to the countries' tax regions."""
