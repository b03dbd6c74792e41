"""The state that an order's actions depend on, read lazily."""

from collections.abc import Mapping
from decimal import Decimal
from functools import cached_property

from django.conf import settings

from giftcards.models import GiftCard, StoreCreditAccount
from giftcards.states import CardStatus
from kit.errors import DomainError
from kit.messages.mails.models import Mail
from kit.values.money import stored
from orders.common.open_edit import open_change_of
from orders.common.outstanding import outstanding_of
from orders.exchanges.unmoved import unmoved_changes
from orders.fulfillments.locked_lines import Line, lines_of
from orders.fulfillments.payment import check_paid
from orders.mails.shared import is_mailed
from orders.mails.subject_ids import abouts_of
from orders.models import Fulfillment, Invoice, Order, OrderChange, Return
from orders.refunds.sources import refundable, sources_of
from orders.returns.returnable import returnable_units, sent_of, sent_units
from orders.states import ORDERS, InvoiceKind, Invoicing, OrderStatus, ReturnStatus
from payments.models import Payment
from payments.movements.capturing import capturable_amount

_RECEIVABLE = frozenset({ReturnStatus.REQUESTED, ReturnStatus.PARTIALLY_RECEIVED})


class OrderState:
    """The state of one order.

    Each property costs one statement; `capturable`, `is_refundable` and `outstanding` cost a few.
    """

    def __init__(self, order: Order) -> None:
        self.order = order

    @cached_property
    def lines(self) -> Mapping[str, Line]:
        """The order's lines by id."""
        return lines_of(self.order.pk)

    @cached_property
    def fulfillments(self) -> list[Fulfillment]:
        """The order's fulfillments that are not canceled."""
        return list(Fulfillment.objects.not_deleted().filter(order=self.order, canceled_at=None).order_by("pk"))

    @cached_property
    def receivable(self) -> list[Return]:
        """Returns with units that are still expected."""
        return list(Return.objects.not_deleted().filter(order=self.order, status__in=_RECEIVABLE).order_by("pk"))

    @property
    def cancelable_returns(self) -> list[Return]:
        """Those of which nothing was received; of exchanges and claims also those of which not all was."""
        return [each for each in self.receivable if each.change_id or each.status == ReturnStatus.REQUESTED]

    @cached_property
    def capturable(self) -> list[Payment]:
        """Payments that can be captured, at least in part."""
        payments = Payment.objects.not_deleted().filter(collection__order_id=self.order.pk, canceled_at=None)
        rows = payments.select_related("session__collection", "provider").order_by("pk")
        return [payment for payment in rows if capturable_amount(payment) > 0]

    @cached_property
    def is_refundable(self) -> bool:
        """Whether anything was paid and not refunded."""
        return refundable(self.order.pk, sources_of(self.order.pk)) > 0

    @cached_property
    def outstanding(self) -> int:
        """What the customer still has to agree to pay, in 1/10,000; nothing of a canceled order."""
        return outstanding_of(self.order)

    @cached_property
    def payable_by_credit(self) -> int:
        """What the store credit of the order's customer pays of it, in 1/10,000."""
        return min(self.outstanding, self.store_credit) if self.outstanding else 0

    @cached_property
    def store_credit(self) -> int:
        """What the order's customer has as store credit in its currency, in 1/10,000."""
        customer = self.order.customer
        if customer is None or not customer.has_account:
            return 0
        accounts = StoreCreditAccount.objects.not_deleted().filter(customer=customer, currency=self.order.currency_id)
        return sum(stored(account.available) for account in accounts)

    @cached_property
    def mails(self) -> list[Mail]:
        """The latest email of each kind about the order and each of its parts; none if the order gets no emails."""
        if not is_mailed(self.order):
            return []
        mails = Mail.objects.filter(about__in=abouts_of(self.order.pk)).order_by("number")
        latest = {(mail.kind, mail.about): mail for mail in mails}
        return sorted(latest.values(), key=lambda mail: (mail.about != self.order.pk, mail.created_at, mail.pk))

    @property
    def mailed_to(self) -> str:
        """The address to which emails about the order go; empty if it gets none."""
        return str(self.order.email) if is_mailed(self.order) else ""

    @cached_property
    def bought_cards(self) -> list[GiftCard]:
        """Redeemable gift cards that were bought with the order."""
        line_ids = [line.id for line in self.lines.values() if line.is_giftcard]
        cards = GiftCard.objects.not_deleted().filter(line_item_id__in=line_ids, status=CardStatus.PENDING)
        return list(cards.order_by("line_item_id", "unit"))

    @cached_property
    def can_be_packed(self) -> bool:
        """Whether the order is paid and has unpacked units."""
        if self.order.is_canceled or not any(line.remaining for line in self.lines.values()):
            return False
        try:
            check_paid(self.order)
        except DomainError:
            return False
        return True

    @cached_property
    def packed(self) -> list[Fulfillment]:
        """Fulfillments that are neither shipped nor delivered."""
        return [each for each in self.fulfillments if each.shipped_at is None and each.delivered_at is None]

    @cached_property
    def undelivered(self) -> list[Fulfillment]:
        """Fulfillments that are not delivered."""
        return [each for each in self.fulfillments if each.delivered_at is None]

    @cached_property
    def returnable(self) -> Mapping[str, int]:
        """Units of each line whose return can be requested."""
        sent = sent_of(self._goods)
        return {line.id: returnable_units(line, sent=sent.get(line.id, 0)) for line in self._goods}

    @cached_property
    def claimable(self) -> Mapping[str, int]:
        """Units of each line that can be claimed: they were sent, and neither returned nor requested back."""
        left = ((line, self._sent.get(line.id, 0) - line.returned) for line in self._goods)
        return {line.id: max(units - line.return_requested_quantity, 0) for line, units in left}

    @property
    def _goods(self) -> list[Line]:
        return [line for line in self.lines.values() if not line.is_giftcard]

    @cached_property
    def _sent(self) -> Mapping[str, int]:
        return sent_units(line.id for line in self._goods)

    @cached_property
    def open_change(self) -> OrderChange | None:
        """The edit, exchange or claim that was begun and not ended."""
        return open_change_of(self.order)

    @cached_property
    def unmoved_changes(self) -> list[OrderChange]:
        """Confirmed exchanges and claims that can be canceled: nothing came back, and nothing they added was packed."""
        return [] if self.order.is_canceled else list(unmoved_changes(self.order.pk))

    @cached_property
    def documents(self) -> list[Invoice]:
        """The invoices and credit notes, the oldest first. No statement for an order without any."""
        if self.order.invoicing is None:
            return []
        return list(Invoice.objects.filter(order=self.order).order_by("issued_at", "pk"))

    @property
    def invoiced_total(self) -> Decimal:
        """What the documents sum to."""
        is_invoice = ((row, row.kind == InvoiceKind.INVOICE) for row in self.documents)
        return sum((row.total if found else -row.total for row, found in is_invoice), Decimal(0))

    @property
    def correctable(self) -> list[str]:
        """The id of the latest invoice, unless all is taken back."""
        invoices = [row.pk for row in self.documents if row.kind == InvoiceKind.INVOICE]
        return invoices[-1:] if self.invoiced_total > 0 else []

    @property
    def is_invoiceable(self) -> bool:
        """Whether staff write the first invoice by hand."""
        return not settings.INVOICE_ON and not self.order.is_canceled and self.order.invoicing != Invoicing.ISSUED

    @property
    def is_editable(self) -> bool:
        """Whether its items can be edited."""
        return not self.order.is_canceled and self.order.status == OrderStatus.PENDING

    @cached_property
    def is_cancelable(self) -> bool:
        """Whether the order can be canceled: nothing was shipped or delivered."""
        has_left = any(line.shipped_quantity or line.delivered_quantity for line in self.lines.values())
        return not self.order.is_canceled and self.may_become(OrderStatus.CANCELED) and not has_left

    def may_become(self, status: OrderStatus) -> bool:
        """Whether the order can change to that status."""
        return status in ORDERS.allowed[self.order.status]
