"""The items of an order, and its total."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import NamedTuple

from django.utils.html import format_html

from carts.pricing.tax_terms import TaxTerms, total_name
from catalog.admin.thumbnails import picture
from giftcards.spending.cart_credit import PAID_BY_CARD
from kit.admin.inlines.page_table import NOTHING, PageTable
from kit.admin.lists.amounts import amount_cell
from orders.admin.order_page.change_texts import change_name
from orders.admin.order_page.formatting import account_name, card_name, options_of, stacked
from orders.admin.order_page.page_data import OrderPageData
from orders.changes.open_change import GOODS
from orders.common.order_taxes import OrderTax
from orders.models import OrderCreditLine, OrderLineItem
from orders.states import ChangeAction, OrderChangeStatus


class Sum(NamedTuple):
    """A line below the items."""

    meaning: str
    amount: str
    is_total: bool = False


def items(data: OrderPageData) -> PageTable:
    """The table of lines. A unit price that is stated in other terms than the page says so itself."""
    currency, terms, added_by = data.order.currency_id, data.terms, _changes_by_line(data)
    price, discount, total = (f"{amount} {terms}" for amount in ("Unit price", "Discount", "Total"))
    return PageTable(
        "Items",
        ("Item", "SKU", "Quantity", price, discount, total, "Progress"),
        [
            (
                _named(line, added_by.get(line.pk, "")),
                line.variant_sku or NOTHING,
                str(line.quantity),
                _unit_price(line, currency, terms),
                amount_cell(terms.discount(line), currency) if line.discount_total else NOTHING,
                amount_cell(terms.after_discounts(line), currency),
                stacked(progress(line)) or NOTHING,
            )
            for line in data.lines.values()
        ],
        amounts=("Quantity", price, discount, total),
    )


def _changes_by_line(data: OrderPageData) -> Mapping[str, str]:
    """`Exchange 1` for each line that it has added."""
    added = (
        (action.line_id, change)
        for change in data.changes
        if change.kind in GOODS and change.status == OrderChangeStatus.CONFIRMED
        for action in change.actions.all()
        if action.action == ChangeAction.ITEM_ADD
    )
    return {str(line_id): change_name(change) for line_id, change in added}


def _named(line: OrderLineItem, added_by: str) -> str:
    """The picture, title and options as they were bought, and the exchange or claim that added the line."""
    texts = format_html("<strong>{}</strong>{}", line.title, stacked([options_of(line), added_by]))
    shown = picture(line.thumbnail)
    return format_html('<div class="pictured">{}<div>{}</div></div>', shown, texts) if shown else texts


def _unit_price(line: OrderLineItem, currency: str, terms: TaxTerms) -> str:
    amount, own = amount_cell(line.unit_price, currency), TaxTerms(line.is_tax_inclusive)
    return amount if own == terms else format_html("{} {}", amount, own)


def progress(line: OrderLineItem) -> Iterator[str]:
    """`2 packed`, `1 shipped` and so on: the units that reached each step, and the units kept if some were returned."""
    back = line.return_received_quantity + line.return_dismissed_quantity
    counted = (
        (line.fulfilled_quantity, "packed"),
        (line.shipped_quantity, "shipped"),
        (line.delivered_quantity, "delivered"),
        (line.return_requested_quantity, "to be returned"),
        (line.return_received_quantity, "returned"),
        (line.return_dismissed_quantity - line.written_off_quantity, "returned damaged"),
        (line.written_off_quantity, "written off"),
    )
    yield from (f"{units} {name}" for units, name in counted if units)
    if back:
        yield f"{line.quantity - back} kept"


def sums(data: OrderPageData) -> Iterator[Sum]:
    """The amounts that make up the total, and each of the taxes in it."""
    order, terms = data.order, data.terms
    yield _sum(data, f"Items {terms}", terms.items(order))
    if data.methods:
        names = ", ".join(method.name for method in data.methods)
        yield _sum(data, f"Shipping ({names}) {terms}", terms.shipping(order))
    if order.discount_total:
        codes = ", ".join(promotion.code for promotion in data.promotions)
        yield _sum(data, f"Discounts ({codes}) {terms}" if codes else f"Discounts {terms}", -terms.discount(order))
    if not terms.is_tax_inclusive:
        yield from _taxes(data, "")
    for line in data.credit_lines:
        yield _sum(data, credit_name(data, line), -line.amount)
    yield _sum(data, total_name(is_tax_exempt=order.is_tax_exempt), order.total)._replace(is_total=True)
    if terms.is_tax_inclusive:
        yield from _taxes(data, " included")
    if order.original_order_total != order.total:
        yield _sum(data, f"{total_name(is_tax_exempt=order.is_tax_exempt)} as placed", order.original_order_total)


def _taxes(data: OrderPageData, included: str) -> Iterator[Sum]:
    """A row for each tax, or one for none, with the reason if the country's tax provider was not used."""
    order = data.order
    own = f", {order.get_tax_fallback_display()}" if order.tax_fallback else ""
    taxes = data.taxes or [OrderTax("Taxes", order.tax_total)]
    yield from (_sum(data, f"{tax.label}{included}{own}", tax.total) for tax in taxes)


def credit_name(data: OrderPageData, line: OrderCreditLine) -> str:
    """The gift card or account that paid."""
    if line.reference == PAID_BY_CARD:
        card = data.cards.get(line.reference_id)
        return "Gift card" if card is None else card_name(data.request, card)
    account = data.accounts.get(line.reference_id)
    return "Store credit" if account is None else account_name(data.request, account)


def _sum(data: OrderPageData, meaning: str, amount: Decimal) -> Sum:
    return Sum(meaning, amount_cell(amount, data.order.currency_id))
