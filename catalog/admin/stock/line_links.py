"""Links to what belongs to apps above: the orders and carts of lines, and what moved stock."""

from collections.abc import Callable, Collection, Mapping

from django.http import HttpRequest

from kit.domain.hooks import AdminWired

LINE_LINKS = AdminWired[Callable[[HttpRequest, Collection[str]], Mapping[str, str]]]("links to what lines belong to")
"""The links by the id of the line: an order's number, or the name of a cart."""

SUBJECT_LINKS = AdminWired[Callable[[HttpRequest, Collection[str]], Mapping[str, str]]]("links to what has moved stock")
"""The links by the id of a fulfillment or return, which name its order, or of a secret key."""
