"""Text and HTML for lines, gift cards, addresses and buttons."""

from collections.abc import Iterable, Sequence

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe

from carts.models.line_columns import LineColumns
from giftcards.codes import masked
from giftcards.models import GiftCard, StoreCreditAccount
from kit.admin.lists.row_link import opening_link
from orders.admin.actions import OfferedAction
from orders.models import OrderAddress, OrderLineItem


def options_of(line: OrderLineItem) -> str:
    """`Size: M · Color: Blue`; the variant's title for a line without option values."""
    values = line.variant_option_values
    if isinstance(values, dict) and values:
        return " · ".join(f"{name}: {value}" for name, value in values.items())
    return line.variant_title or ""


def line_name(line: LineColumns) -> str:
    """`Mug (Blue)`."""
    return f"{line.title} ({line.variant_title})" if line.variant_title else line.title


def card_name(request: HttpRequest, card: GiftCard) -> str:
    """`Gift card ••••ABCD`, as a link for users who may view it."""
    return format_html("Gift card {}", opening_link(request, card))


def account_name(request: HttpRequest, account: StoreCreditAccount) -> str:
    """The customer or gift card that the account belongs to."""
    if account.gift_card is not None:
        return format_html("Gift card {}", masked(account.gift_card.code))
    return format_html("Store credit of {}", account.customer)


def address_lines(address: OrderAddress | None) -> list[str]:
    """The lines of an address and its phone number."""
    return [*address.lines(), *filter(None, [address.phone])] if address else []


def stacked(texts: Iterable[str]) -> str:
    """Each text on its own line."""
    return format_html_join("", "<div>{}</div>", ((text,) for text in texts if text))


def buttons(actions: Sequence[OfferedAction]) -> str:
    """Small buttons next to a row; "" without actions."""
    if not actions:
        return ""
    return mark_safe(render_to_string("orders/buttons.html", {"actions": actions, "size": "small"}))  # noqa: S308 - our own template
