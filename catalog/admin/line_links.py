"""Links to the orders and carts of lines, which belong to apps above."""

from collections.abc import Callable, Collection, Mapping

from django.http import HttpRequest

from commerce.kit.core.hooks import Wired

LINE_LINKS = Wired[Callable[[HttpRequest, Collection[str]], Mapping[str, str]]]("links to what lines belong to")
"""The links by the id of the line: an order's number, or the name of a cart."""
