"""The email about money that was refunded: one for each payment, gift card or account that it went to."""

from typing import Any

from django.db.models import Q

from giftcards.codes import masked
from kit.messages.mails.kinds import RenderedMail
from kit.values.written_amounts import written
from orders.mails.shared import OF_ORDER, order_mail
from orders.models import RefundPart

KIND = "order_refunded"
_HAS_MOVED = Q(intent=None) | Q(intent__refund__isnull=False)


def render_refund_mail(about: str, number: int) -> RenderedMail | None:
    """The email about the part of a refund with that id. None if the customer gets none, or no money has moved yet.

    The provider's event can report the part before the provider answers its own request.
    """
    parts = RefundPart.objects.select_related("account__gift_card", *(f"refund__{path}" for path in OF_ORDER))
    part = parts.filter(_HAS_MOVED, pk=about).exclude(refund__no_notification=True).first()
    if part is None:
        return None
    order = part.refund.order
    return order_mail(KIND, order, amount=written(part.amount, order.currency_id), **_target(part))


def _target(part: RefundPart) -> dict[str, Any]:
    """`target` is payment, gift_card or store_credit; `gift_card` is the end of the card's code."""
    if part.account is None:
        return {"target": "payment", "gift_card": ""}
    card = part.account.gift_card
    if card is None:
        return {"target": "store_credit", "gift_card": ""}
    return {"target": "gift_card", "gift_card": masked(card.code)}
