"""The email that brings a gift card: the order of one that was bought shows only the end of its code."""

from collections.abc import Sequence

from carts.lines.gift_recipients import recipient_of
from giftcards.models import GiftCard
from giftcards.states import CardStatus
from kit.errors import InvalidData
from kit.messages.mails.kinds import RenderedMail
from kit.values.written_amounts import written
from orders.models import OrderLineItem


def render_gift_card_mail(about: str, number: int) -> RenderedMail | None:
    """The email to the recipient named by the line, otherwise to the order's email address, or to the card's customer.

    None once the card is redeemed or canceled, or nobody's address is known.
    """
    cards = GiftCard.objects.not_deleted().filter(pk=about, status=CardStatus.PENDING)
    card = cards.select_related("customer").first()
    recipient = card and recipient_of_card(card)
    if card is None or not recipient:
        return None
    return RenderedMail(
        recipient=recipient,
        template="gift_card",
        context={
            "code": card.code,
            "value": written(card.value, card.currency_id),
            "expires_on": f"{card.expires_at:%Y-%m-%d}" if card.expires_at else "",
        },
    )


def recipient_of_card(card: GiftCard) -> str | None:
    """The address to which the email of the card is sent; None if it is unknown. One statement."""
    return recipients_of_cards([card])[card.pk]


def recipients_of_cards(cards: Sequence[GiftCard]) -> dict[str, str | None]:
    """The same for each of these cards, by id. One statement."""
    line_ids = {card.line_item_id for card in cards if card.line_item_id}
    lines = {line.pk: line for line in OrderLineItem.objects.select_related("order").filter(pk__in=line_ids)}
    found = {card.pk: lines.get(card.line_item_id or "") for card in cards}
    bought = {key: line and (_recipient(line) or line.order.email) for key, line in found.items()}
    return {card.pk: bought[card.pk] if card.line_item_id else _customer_of(card) for card in cards}


def _customer_of(card: GiftCard) -> str | None:
    """The address of the customer for whom staff issued the card."""
    customer = card.customer
    return customer.email if customer and customer.deleted_at is None else None


def _recipient(line: OrderLineItem) -> str | None:
    """None for an invalid one, as in a cart from before they were checked."""
    try:
        return recipient_of(line.metadata)
    except InvalidData:
        return None
