"""The data of an order's page. The number of statements does not depend on the number of rows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model, Prefetch, QuerySet
from django.http import HttpRequest

from carts.pricing.tax_terms import TaxTerms
from giftcards.models import GiftCard, StoreCreditAccount
from kit.admin.request_actor import request_actor
from kit.messages.mails.models import Mail
from orders.admin.actions import OfferedAction, actions_of
from orders.admin.order_state import OrderState
from orders.common.order_taxes import OrderTax, taxes_of
from orders.models import (
    Fulfillment,
    GrantedRefund,
    Invoice,
    Order,
    OrderChange,
    OrderChangeAction,
    OrderCreditLine,
    OrderLineItem,
    OrderNote,
    OrderPayment,
    OrderPromotion,
    OrderShippingMethod,
    OrderTransfer,
    PaymentLink,
    RefundPart,
    Return,
)
from payments.models import Intent
from payments.states import Act, Result
from staff.authors import author_names

MOST_RECORDS = 100
"""The maximum number of emails, and of history entries, on the page."""
Row = TypeVar("Row", bound=Model)


@dataclass
class OrderPageData:
    """An order with its related rows; those that the user may not view are empty.

    state: of the order, for its actions. name_of: returns the name of a staff user. sees_customers, sees_returns:
    whether the user may view those.
    """

    request: HttpRequest
    order: Order
    lines: Mapping[str, OrderLineItem]
    methods: Sequence[OrderShippingMethod]
    taxes: Sequence[OrderTax]
    promotions: Sequence[OrderPromotion]
    credit_lines: Sequence[OrderCreditLine]
    cards: Mapping[str, GiftCard]
    accounts: Mapping[str, StoreCreditAccount]
    payments: Sequence[OrderPayment]
    refused: Sequence[Intent]
    refunds: Sequence[GrantedRefund]
    fulfillments: Sequence[Fulfillment]
    returns: Sequence[Return]
    changes: Sequence[OrderChange]
    notes: Sequence[OrderNote]
    mails: Sequence[Mail]
    transfers: Sequence[OrderTransfer]
    links: Sequence[PaymentLink]
    documents: Sequence[Invoice]
    history: Sequence[LogEntry]
    state: OrderState
    actions: Sequence[OfferedAction]
    name_of: Callable[[str | None], str]
    sees_customers: bool
    sees_returns: bool

    @property
    def terms(self) -> TaxTerms:
        """The terms of all amounts of the items and their sum."""
        return TaxTerms.of(self.lines.values())

    def actions_about(self, about: str) -> list[OfferedAction]:
        """The actions on a fulfillment, return or payment, or on the order itself ("")."""
        return [action for action in self.actions if action.about == about]


def page_data(request: HttpRequest, order: Order) -> OrderPageData:
    """The order's data, as far as the user may view it."""
    may = request_actor(request).may
    own = {"order": order}
    credit_lines = _all(OrderCreditLine.objects.not_deleted().filter(**own))
    referred = [line.reference_id for line in credit_lines]
    sees_payments = may("payments.view_paymentcollection")
    refunds = _all(
        GrantedRefund.objects.not_deleted().filter(**own).select_related("refund_reason").prefetch_related(_PARTS)
    )
    payments = _all(_payments(order)) if sees_payments else []
    fulfillments = _all(
        Fulfillment.objects.not_deleted()
        .filter(**own)
        .select_related("location", "provider")
        .prefetch_related("items", "labels", "events")
    )
    sees_returns = may("orders.view_return")
    returns = _all(Return.objects.not_deleted().filter(**own).prefetch_related("items__reason")) if sees_returns else []
    changes = _all(OrderChange.objects.filter(**own).prefetch_related(_ACTIONS))
    notes = _all(OrderNote.objects.filter(**own)) if may("orders.view_ordernote") else []
    transfers = _all(OrderTransfer.objects.filter(**own).select_related("customer"))
    links = _all(PaymentLink.objects.filter(**own))
    history = _history(order)
    state = OrderState(order)
    data = OrderPageData(
        request=request,
        order=order,
        lines={line.pk: line for line in _all(OrderLineItem.objects.not_deleted().filter(**own))},
        methods=_all(OrderShippingMethod.objects.not_deleted().filter(**own)),
        taxes=taxes_of(order),
        promotions=_all(OrderPromotion.objects.filter(**own)),
        credit_lines=credit_lines,
        cards=GiftCard.objects.in_bulk(referred),
        accounts=StoreCreditAccount.objects.select_related("customer", "gift_card").in_bulk(referred),
        payments=payments,
        refused=_refused(order) if sees_payments else [],
        refunds=refunds,
        fulfillments=fulfillments,
        returns=returns,
        changes=changes,
        notes=notes,
        mails=_mails(order, refunds, fulfillments, returns, transfers, [*changes, *links])
        if may("mails.view_mail")
        else [],
        transfers=transfers,
        links=links,
        documents=state.documents if may("orders.view_invoice") else [],
        history=history,
        state=state,
        actions=actions_of(request, state),
        name_of=str,
        sees_customers=may("customers.view_customer"),
        sees_returns=sees_returns,
    )
    data.name_of = author_names(_staff_ids(data))
    return data


def _all(rows: "QuerySet[Row]") -> list[Row]:
    """The rows, oldest first."""
    moment = "created_at" if any(field.name == "created_at" for field in rows.model._meta.fields) else "pk"
    return list(rows.order_by(moment, "pk"))


def _payments(order: Order) -> "QuerySet[OrderPayment]":
    rows: QuerySet[OrderPayment] = OrderPayment.objects.not_deleted().filter(collection__order_id=order.pk)
    return rows.select_related("provider").prefetch_related("captures")


def _refused(order: Order) -> list[Intent]:
    """Captures and refunds that a provider has declined."""
    intents = Intent.objects.filter(
        session__collection__order_id=order.pk, result=Result.REFUSED, act__in=[Act.CAPTURE, Act.REFUND]
    )
    return list(intents.select_related("session").order_by("pk"))


def _mails(order: Order, refunds: Sequence[GrantedRefund], *others: Sequence[Model]) -> list[Mail]:
    parts = [part.pk for refund in refunds for part in refund.parts.all()]
    about = [order.pk, *parts, *(row.pk for rows in others for row in rows)]
    return list(Mail.objects.filter(about__in=about).order_by("-created_at", "-pk")[:MOST_RECORDS])


def _history(order: Order) -> list[LogEntry]:
    kind = ContentType.objects.get_for_model(Order)
    entries = LogEntry.objects.filter(content_type=kind, object_id=order.pk)
    return list(entries.order_by("-action_time", "-pk")[:MOST_RECORDS])


def _staff_ids(data: OrderPageData) -> set[str | None]:
    ids: set[str | None] = {str(entry.user_id) for entry in data.history}
    for rows, columns in (
        (data.notes, ("created_by",)),
        (data.refunds, ("created_by",)),
        (data.returns, ("created_by", "received_by", "canceled_by")),
        (data.changes, ("created_by", "requested_by", "confirmed_by", "canceled_by")),
        (data.fulfillments, ("created_by", "marked_shipped_by", "delivered_by", "canceled_by")),
        ([capture for payment in data.payments for capture in payment.captures.all()], ("created_by",)),
        (data.refused, ("created_by",)),
        (data.links, ("created_by",)),
        (data.documents, ("created_by",)),
    ):
        ids.update(getattr(row, column) for row in rows for column in columns)
    return ids


_ACTIONS = Prefetch("actions", OrderChangeAction.objects.order_by("ordering"))
_PARTS = Prefetch(
    "parts",
    RefundPart.objects.select_related(
        "payment__provider", "intent", "account__customer", "account__gift_card"
    ).order_by("rank"),
)
