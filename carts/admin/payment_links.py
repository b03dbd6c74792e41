"""Links to payments, which belong to an app above."""

from collections.abc import Callable

from django.http import HttpRequest

from kit.domain.hooks import AdminWired

PAYMENT_LINK = AdminWired[Callable[[HttpRequest, str], str | None]]("links to the payments of carts")
"""The link to the payment collection of the cart with that id; None for a cart without one."""
