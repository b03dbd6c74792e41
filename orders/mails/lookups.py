"""The email with a link to an order, for guests who have asked for it by number and email address."""

from django.conf import settings
from django.urls import reverse

from kit.messages.mails import pages
from kit.messages.mails.kinds import RenderedMail
from kit.messages.mails.tokens import mail_token, token_digest
from kit.values.public_address import absolute
from kit.values.timestamps import now
from orders.mails.shared import country_code
from orders.models import Order, OrderLookup

KIND = "order_lookup"


def render_lookup_mail(about: str, number: int) -> RenderedMail | None:
    """The email for the request with that id, of which it stores the token's digest: its lifetime begins now.

    None where there is no such order, or once the token was used.
    """
    unused = OrderLookup.objects.filter(pk=about, used_at=None)
    lookup = unused.first()
    order = lookup.find_order() if lookup else None
    if order is None:
        return None
    token = mail_token(KIND, about, number)
    opened = {"token_digest": token_digest(token), "expires_at": now() + settings.ORDER_LOOKUP_LIFETIME}
    if not unused.update(order=order, **opened):
        return None
    return RenderedMail(
        recipient=str(order.email),
        template=KIND,
        context={
            "order": {"number": str(order)},
            "link": _link(order, token),
            "token": token,
            "minutes": int(settings.ORDER_LOOKUP_LIFETIME.total_seconds() // 60),
        },
    )


def _link(order: Order, token: str) -> str:
    """To the storefront's page, else to our own; empty if the shop does not know its own address."""
    if settings.ORDER_LOOKUP_PAGE:
        return pages.link(settings.ORDER_LOOKUP_PAGE, country_code=country_code(order), token=token)
    return absolute(reverse("order_lookup", args=[token])) if settings.PUBLIC_URL else ""
