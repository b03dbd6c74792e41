"""What an order is worth by its rows, as documents state it: see orders.common.summary.worth, with received returns."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db.models import Q, QuerySet

from carts.arithmetic.adjustments import STORED_COLUMNS, StoredAdjustment
from carts.arithmetic.line_totals import Line as PricedLine
from catalog.prices.taxes import without_tax
from giftcards.models import GiftCard
from giftcards.states import CardStatus
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values import money
from orders.common.placed_lines import placed_line
from orders.invoices.differences import Worth
from orders.invoices.entries import Entry, Tax
from orders.models import (
    OrderAdjustment,
    OrderLineItem,
    OrderShippingMethod,
    OrderShippingMethodTaxLine,
    OrderTaxLine,
)
from orders.states import InvoiceLineKind, ReturnStatus, TaxCategory


def worth_of(order_id: str, *, currency_code: str, allowance: int, is_exempt: bool) -> Worth:
    """What the order, which is not canceled, is worth by now. At most six statements."""
    step = money.step(currency_code)
    lines = sorted(_LINES.read([order_id]))
    taxes = _by_owner(_TAXES.read([order_id]))
    method_taxes = _by_owner(_METHOD_TAXES.read([order_id]))
    agreed = [line.id for line in lines if line.return_agreed_quantity]
    discounts: dict[str, list[StoredAdjustment]] = defaultdict(list)
    for line_id, *columns in _DISCOUNTS.read(agreed):
        discounts[line_id].append(StoredAdjustment(*columns))
    goods = [
        entry
        for line in lines
        if (entry := _goods(line, taxes[line.id], discounts[line.id], currency_code, is_exempt=is_exempt))
    ]
    methods = [_shipping(each, method_taxes[each.id], step, is_exempt=is_exempt) for each in _METHODS.read([order_id])]
    cards = {line.id: line.unit_price for line in lines if line.is_giftcard} if allowance else {}
    voided = sum(cards[line_id] for (line_id,) in _CANCELED_CARDS.read(list(cards)))
    return Worth([*goods, *methods], allowance, voided, step)


class _Line(NamedTuple):
    """A line with its totals, in 1/10,000."""

    id: str
    title: str
    variant_title: str | None
    variant_sku: str | None
    is_giftcard: bool
    quantity: int
    unit_price: int
    is_tax_inclusive: bool
    exempt_rate: int | None
    placed_total: int
    total: int
    tax_total: int
    return_received_quantity: int
    return_dismissed_quantity: int
    return_agreed_quantity: int


class _Method(NamedTuple):
    """A shipping method with its totals, in 1/10,000."""

    id: str
    name: str
    amount: int
    is_tax_inclusive: bool
    exempt_rate: int | None
    total: int
    tax_total: int


class _Tax(NamedTuple):
    id: str
    owner_id: str
    code: str
    description: str | None
    rate: int
    total: int


def _goods(
    line: _Line,
    taxes: Sequence[_Tax],
    discounts: Sequence[StoredAdjustment],
    currency_code: str,
    *,
    is_exempt: bool,
) -> Entry | None:
    """None if no unit of the line is kept. Agreed returns count, though its totals still have their units."""
    units = line.quantity - line.return_received_quantity - line.return_dismissed_quantity
    kept = units - line.return_agreed_quantity
    if not kept:
        return None
    net, amounts = line.total - line.tax_total, [tax.total for tax in taxes]
    if line.return_agreed_quantity:
        plain = PricedLine(
            line.quantity,
            line.unit_price,
            bool(line.is_tax_inclusive),
            rates=[tax.rate for tax in taxes],
            exempt_rate=0 if taxes else line.exempt_rate or 0,
        )
        placed = placed_line(plain, discounts, placed_total=line.placed_total, currency_code=currency_code)
        totals = placed.kept(kept)
        net, amounts = totals.total - totals.tax_total, [tax.total for tax in totals.tax_lines]
    kind = InvoiceLineKind.GIFT_CARD if line.is_giftcard else InvoiceLineKind.GOODS
    step = money.step(currency_code)
    price, is_inclusive = _price(line.unit_price, line.is_tax_inclusive, taxes, line.exempt_rate, step)
    own = _own_taxes(taxes, amounts)
    category = TaxCategory.OUTSIDE_SCOPE if line.is_giftcard else _category(own, is_exempt=is_exempt)
    texts = (line.title, line.variant_title, line.variant_sku)
    return Entry(kind, line.id, *texts, kept, price, is_inclusive, category, own, net).priced(price, step)


def _shipping(method: _Method, taxes: Sequence[_Tax], step: int, *, is_exempt: bool) -> Entry:
    price, is_inclusive = _price(method.amount, method.is_tax_inclusive, taxes, method.exempt_rate, step)
    own = _own_taxes(taxes, [tax.total for tax in taxes])
    about = (InvoiceLineKind.SHIPPING, method.id, method.name, None, None)
    net = method.total - method.tax_total
    entry = Entry(*about, 1, price, is_inclusive, _category(own, is_exempt=is_exempt), own, net)
    return entry.priced(price, step)


def _price(
    price: int, is_inclusive: bool, taxes: Sequence[_Tax], exempt_rate: int | None, step: int
) -> tuple[int, bool]:
    """The price as documents state it, and whether with tax. An exempt customer is shown none."""
    if exempt_rate and is_inclusive and not taxes:
        return without_tax(price, exempt_rate, step), False
    return price, bool(is_inclusive and taxes)


def _own_taxes(taxes: Sequence[_Tax], amounts: Sequence[int]) -> tuple[Tax, ...]:
    own = [Tax(tax.code, tax.description, tax.rate, amount) for tax, amount in zip(taxes, amounts, strict=True)]
    return tuple(sorted(own, key=lambda tax: (tax.rate, tax.code)))


def _category(taxes: Sequence[Tax], *, is_exempt: bool) -> TaxCategory:
    if any(tax.rate for tax in taxes):
        return TaxCategory.STANDARD
    return TaxCategory.EXEMPT if is_exempt and not taxes else TaxCategory.ZERO_RATED


def _by_owner(rows: Sequence[_Tax]) -> Mapping[str, list[_Tax]]:
    by_owner: dict[str, list[_Tax]] = defaultdict(list)
    for tax in sorted(rows, key=lambda row: row.id):
        by_owner[tax.owner_id].append(tax)
    return by_owner


def _counting_methods() -> QuerySet[OrderShippingMethod]:
    """The shipping of a return counts from the first receipt on, that of an exchange or a claim at once."""
    came = Q(of_return__status__in=[ReturnStatus.PARTIALLY_RECEIVED, ReturnStatus.RECEIVED])
    counts = Q(of_return=None) | came | Q(of_return__change__isnull=False)
    methods: QuerySet[OrderShippingMethod] = OrderShippingMethod.objects.not_deleted().filter(counts)
    return methods


def _canceled_cards() -> QuerySet[GiftCard]:
    cards: QuerySet[GiftCard] = GiftCard.objects.not_deleted().filter(status=CardStatus.CANCELED)
    return cards


_LINES = KeyedRows(OrderLineItem.objects.not_deleted, key="order_id", row=_Line)
_METHODS = KeyedRows(_counting_methods, key="order_id", row=_Method)
_TAXES = KeyedRows(
    OrderTaxLine.objects.not_deleted,
    key="item__order_id",
    row=_Tax,
    columns=("id", "item_id", "code", "description", "rate", "total"),
)
_METHOD_TAXES = KeyedRows(
    OrderShippingMethodTaxLine.objects.not_deleted,
    key="shipping_method__order_id",
    row=_Tax,
    columns=("id", "shipping_method_id", "code", "description", "rate", "total"),
)
_DISCOUNTS = KeyedRows(
    OrderAdjustment.objects.not_deleted, key="item_id", columns=("item_id", *STORED_COLUMNS, "item__placed_total")
)
_CANCELED_CARDS = KeyedRows(_canceled_cards, key="line_item_id", columns=("line_item_id",))
