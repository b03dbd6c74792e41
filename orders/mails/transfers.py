"""The email that asks whether an order may be transferred. It goes to the order's address, never to the requester's."""

from django.conf import settings

from kit.messages.mails import pages
from kit.messages.mails.kinds import RenderedMail
from kit.messages.mails.tokens import mail_token, token_digest
from kit.values.timestamps import now
from orders.mails.shared import country_code
from orders.models import OrderTransfer
from orders.states import TransferStatus

KIND = "transfer_requested"


def render_transfer_mail(about: str, number: int) -> RenderedMail | None:
    """The email about the transfer with that id, of which it stores the token's digest: its lifetime begins now.

    None once the transfer is answered or canceled. It holds no text of the requester's.
    Why: docs/decisions/orders.md#transfer-tokens-exist-in-emails-only.
    """
    requested = OrderTransfer.objects.filter(pk=about, status=TransferStatus.REQUESTED)
    transfer = requested.select_related("order").first()
    if transfer is None or transfer.order.is_canceled or not transfer.order.email:
        return None
    order, token = transfer.order, mail_token(KIND, about, number)
    if not requested.update(token_digest=token_digest(token), expires_at=now() + settings.TRANSFER_LIFETIME):
        return None
    return RenderedMail(
        recipient=str(order.email),
        template=KIND,
        context={
            "order": {"number": str(order)},
            "link": pages.link(
                settings.TRANSFER_PAGE, country_code=country_code(order), order_id=order.pk, token=token
            ),
            "token": token,
            "days": settings.TRANSFER_LIFETIME.days,
        },
    )
