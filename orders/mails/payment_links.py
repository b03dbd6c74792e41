"""The email that asks the customer to pay what an order still owes, and the link that is in it."""

from django.conf import settings
from django.urls import reverse

from kit.messages.mails import pages
from kit.messages.mails.kinds import RenderedMail
from kit.messages.mails.tokens import mail_token, token_digest
from kit.values.money import major
from kit.values.public_address import absolute
from kit.values.shown_dates import shown_moment
from kit.values.written_amounts import written
from orders.common.outstanding import outstanding_of
from orders.mails.shared import OF_ORDER, country_code, order_mail
from orders.models import Order, PaymentLink

KIND = "payment_requested"


def token_of(link_id: str) -> str:
    """The token of a link: 256 bits that nobody else can compute. The same in each email about it."""
    return mail_token(KIND, link_id, 1)


def has_payment_page() -> bool:
    """Whether the shop knows a page to pay on: the storefront's, or its own."""
    return bool(settings.PAYMENT_PAGE or settings.PUBLIC_URL)


def payment_page(order: Order, token: str) -> str:
    """The address of a link: of the storefront's page, else of our own; empty if the shop knows neither."""
    if settings.PAYMENT_PAGE:
        return pages.link(settings.PAYMENT_PAGE, country_code=country_code(order), token=token)
    return absolute(reverse("payment_page", args=[token])) if settings.PUBLIC_URL else ""


def render_payment_mail(about: str, number: int) -> RenderedMail | None:
    """The email with the link of that id; None once it is over, or nothing is outstanding any more."""
    link = PaymentLink.objects.usable().filter(pk=about).select_related(*OF_ORDER).first()
    amount = outstanding_of(link.order) if link else 0
    if link is None or not amount:
        return None
    order, token = link.order, token_of(link.pk)
    if token_digest(token) != link.token_digest:
        return None  # SECRET_KEY has changed since; what was sent before still works
    return order_mail(
        KIND,
        order,
        link=payment_page(order, token),
        amount=written(major(amount), order.currency_id),
        expires_at=shown_moment(link.expires_at),
    )
