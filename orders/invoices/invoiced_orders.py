"""The order of documents, as they read it."""

from datetime import date
from operator import itemgetter
from typing import NamedTuple

from django.db.models import Case, Exists, Expression, F, OuterRef, Q, When
from django.db.models.functions import Coalesce
from django.utils.timezone import localdate

from giftcards.spending.cart_credit import PAID_BY_CARD
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.money import major, rounded
from kit.values.timestamps import iso, parse_moment
from orders.invoices.parties import Texts, buyer_of
from orders.models import Fulfillment, Invoice, Order, OrderCreditLine, OrderLineItem
from payments.models import Payment
from shop.provider_name import provider_name

PAID_BEFORE = "Paid before"


class InvoicedOrder(NamedTuple):
    """Amounts are in 1/10,000; canceled_at and erased_at are the database's texts.

    country_code: where the order is taxed.
    """

    id: str
    currency_id: str
    locale: str | None
    email: str | None
    tax_number: str | None
    is_tax_exempt: bool | None
    shipping_address_id: str | None
    billing_address_id: str | None
    invoicing: str | None
    canceled_at: str | None
    erased_at: str | None
    allowance_total: int
    paid_total: int
    credit_line_total: int
    refunded_total: int
    credit_refunded_total: int
    fulfillment_count: int
    country_code: str | None

    @property
    def buyer(self) -> Texts:
        """Of an erased order the one that its documents name, for as long as they do. One statement."""
        if self.erased_at is not None:
            named = sorted(((moment, buyer) for moment, buyer in _BUYERS.read([self.id]) if buyer), key=itemgetter(0))
            return named[-1][1] if named else {}
        return buyer_of(
            self.billing_address_id,
            self.shipping_address_id,
            email=self.email,
            tax_number=self.tax_number,
            is_tax_exempt=bool(self.is_tax_exempt),
        )

    @property
    def kept(self) -> int:
        """What was paid and not refunded."""
        return self.paid_total + self.credit_line_total - self.refunded_total - self.credit_refunded_total


def order_row(order_id: str) -> InvoicedOrder:
    """One statement."""
    (row,) = _ORDERS.read([order_id])
    return row


def payments_of(order: InvoicedOrder) -> list[dict[str, str]]:
    """What has paid for the order by now, with negative amounts for refunds. At most two statements."""
    credit = _CREDIT.read([order.id]) if order.credit_line_total else []
    paid = [
        ("Gift card" if reference == PAID_BY_CARD else "Store credit", amount) for reference, amount in sorted(credit)
    ]
    paid += [(provider_name(provider), amount) for provider, amount in sorted(_PAYMENTS.read([order.id])) if amount]
    refunded = order.refunded_total + order.credit_refunded_total
    return paid_by(order, [*paid, ("Refunded", -refunded)])


def paid_by(order: InvoicedOrder, paid: list[tuple[str, int]]) -> list[dict[str, str]]:
    """The payments as a document holds them: with a label, and the amount in the currency's digits."""
    return [
        {"label": label, "amount": str(rounded(major(amount), order.currency_id))} for label, amount in paid if amount
    ]


def supplied_on(order: InvoicedOrder) -> date | None:
    """The day of the last shipment, in the shop's time zone. One statement, none if nothing was packed."""
    rows = _SHIPMENTS.read([order.id]) if order.fulfillment_count else []
    moments = [moment for (shipped_at,) in rows if shipped_at and (moment := parse_moment(iso(shipped_at)))]
    return localdate(max(moments)) if moments else None


def _country_code() -> Expression:
    """As carts are taxed: at the shipping address if anything is shipped, else where the order is billed.

    The country of an address never changes once the order is placed.
    """
    shipping, billing = (f"{kind}_address__country_code" for kind in ("shipping", "billing"))
    is_shipped = Q(Exists(OrderLineItem.objects.filter(order=OuterRef("pk"), requires_shipping=True)))
    at_billing = Coalesce(F(billing), F(shipping))
    return Case(When(is_shipped, then=Coalesce(F(shipping), F(billing))), default=at_billing)


_BUYERS = KeyedRows(Invoice.objects.all, key="order_id", columns=("issued_at", "buyer"), decoded=("buyer",))
_ORDERS = KeyedRows(lambda: Order.objects.annotate(country_code=_country_code()), key="id", row=InvoicedOrder)
_CREDIT = KeyedRows(OrderCreditLine.objects.not_deleted, key="order_id", columns=("reference", "amount"))
_PAYMENTS = KeyedRows(
    Payment.objects.not_deleted, key="collection__order_id", columns=("provider_id", "captured_amount")
)
_SHIPMENTS = KeyedRows(
    lambda: Fulfillment.objects.not_deleted().filter(canceled_at=None), key="order_id", columns=("shipped_at",)
)
