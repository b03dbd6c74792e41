"""The open tasks of orders: conditions that partial indexes serve, a filter and a column."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.conf import settings
from django.contrib.admin import SimpleListFilter
from django.db.models import Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery, TextChoices, Value
from django.db.models.lookups import LessThan
from django.http import HttpRequest

from kit.admin.request_actor import request_actor
from kit.query.key_unions import in_any
from orders.common.outstanding import nothing_outstanding
from orders.models import CarrierRequest, Fulfillment, GrantedRefund, Order, OrderLineItem, RefundPart, Return
from orders.models.fulfillments import TO_SHIP
from orders.models.orders import TO_CAPTURE, TO_INVOICE, TO_PACK, TO_REFUND, difference
from orders.models.returns import TO_RECEIVE
from orders.states import FulfillmentStatus, OrderStatus, PaymentStatus
from payments.admin.needs_attention import stalled_intents
from payments.models import Intent
from payments.states import Act, Result


class Task(TextChoices):
    """A task for staff."""

    PACK = "pack", "To pack"
    SHIP = "ship", "To ship"
    CAPTURE = "capture", "To capture"
    REFUND = "refund", "To refund"
    RECEIVE = "receive", "Return to receive"
    INVOICE = "invoice", "Invoice waits"
    ATTENTION = "attention", "Needs attention"


MOST_COUNTED = 99
COLOURS = {Task.ATTENTION.label: "danger", Task.REFUND.label: "warning", Task.RECEIVE.label: "warning"}


def tasks() -> Mapping[Task, Q]:
    """The condition on orders for each task.

    To pack: the order may be fulfilled, and has unfulfilled units.
    To refund: the customer paid more than the order costs, or a provider has declined the latest refund.
    Invoice waits: a document is due, and the store lacks what it must say of the seller.
    Needs attention: a provider of payments or a carrier has refused a request, or does not answer.
    """
    return {
        Task.PACK: _to_pack(),
        # The status lets PostgreSQL estimate that there are few; it cannot estimate the subquery.
        Task.SHIP: Q(
            status=OrderStatus.PENDING,
            fulfillment_status__in=_PARTLY_PACKED,
            pk__in=Fulfillment.objects.filter(TO_SHIP).values("order"),
        ),
        Task.CAPTURE: TO_CAPTURE,
        Task.REFUND: in_any(*_overpaid(), _declined().values("refund__order")),
        Task.RECEIVE: Q(pk__in=_returns_to_receive()),
        Task.INVOICE: TO_INVOICE,
        Task.ATTENTION: in_any(_stalled(), _unanswered(), _orders(Q(_to_pack(), Exists(_refused_by_carriers())))),
    }


def tasks_of(order_ids: Iterable[str]) -> dict[str, list[Task]]:
    """The open tasks of each of these orders. One statement, which reads only these orders."""
    found: dict[str, list[Task]] = {order_id: [] for order_id in order_ids}
    rows = Order.objects.filter(pk__in=list(found)).order_by()
    first, *others = [
        rows.filter(condition).annotate(task=Value(task.value)).values_list("pk", "task")
        for task, condition in tasks().items()
    ]
    applying = set(first.union(*others, all=True))
    return {order_id: [task for task in Task if (order_id, task.value) in applying] for order_id in found}


class ToDoFilter(SimpleListFilter):
    """Orders by open task. Each choice shows the number of its orders."""

    title = "to do"
    parameter_name = "todo"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        counts = _counts(Order.objects.visible_to(request_actor(request)).order_by())
        return [(task.value, f"{task.label} ({_shown(counts[task])})") for task in Task]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Order]) -> QuerySet[Order]:
        value = self.value()
        return queryset.filter(tasks()[Task(value)]) if value in Task.values else queryset


class _Count(Subquery):
    """The number of rows of a query."""

    template = "(SELECT COUNT(*) FROM (%(subquery)s) counted)"
    output_field = IntegerField()


def _counts(rows: QuerySet[Order]) -> dict[Task, int]:
    """The number of rows with each task, counted up to one more than MOST_COUNTED. One statement."""
    counts = {
        task: _Count(rows.filter(condition).values("pk")[: MOST_COUNTED + 1]) for task, condition in tasks().items()
    }
    found = next(iter(Order.objects.order_by().values_list(*counts.values())[:1]), None)
    return dict(zip(counts, found or [0] * len(counts), strict=True))


def _shown(count: int) -> str:
    return str(count) if count <= MOST_COUNTED else f"{MOST_COUNTED}+"


def _orders(condition: Q) -> "QuerySet[Order, Any]":
    return Order.objects.filter(condition).values("pk")


def _to_pack() -> Q:
    remaining = OrderLineItem.objects.not_deleted().filter(order=OuterRef("pk"), fulfilled_quantity__lt=F("quantity"))
    paid = Q() if settings.FULFILL_UNPAID else Q(nothing_outstanding(), _IS_PAID)
    return Q(TO_PACK, paid, Exists(remaining))


def _overpaid() -> "list[QuerySet[Order, Any]]":
    if settings.RETURN_COUNTS == "received":
        return [_orders(Q(TO_REFUND, _HAS_PAID))]
    exact = Q(LessThan(difference("requested_return_total"), 0), _HAS_PAID, canceled_at=None)
    return [_orders(Q(TO_REFUND, exact)), _orders(Q(exact, pk__in=_returns_to_receive()))]


def _returns_to_receive() -> "QuerySet[Return, Any]":
    """The orders of returns that have not arrived completely."""
    return Return.objects.not_deleted().filter(TO_RECEIVE).values("order")


def _declined() -> QuerySet[RefundPart]:
    """Parts of refunds that a provider has declined, unless something has been refunded since."""
    later = GrantedRefund.objects.filter(order=OuterRef("refund__order"), created_at__gt=OuterRef("refund__created_at"))
    parts: QuerySet[RefundPart] = RefundPart.objects.filter(
        ~Exists(later), intent__act=Act.REFUND, intent__result=Result.REFUSED
    )
    return parts


def _stalled() -> "QuerySet[Intent, Any]":
    others = stalled_intents().exclude(act=Act.REFUND, result=Result.REFUSED)
    return others.exclude(session__collection__order_id=None).values("session__collection__order_id")


def _unanswered() -> "QuerySet[CarrierRequest, Any]":
    return CarrierRequest.objects.filter(done_at=None).exclude(error="").values("fulfillment__order")


def _refused_by_carriers() -> QuerySet[Fulfillment]:
    found: QuerySet[Fulfillment] = Fulfillment.objects.filter(order=OuterRef("pk"), cancel_reason__isnull=False)
    return found


_HAS_PAID = Q(
    paid_total__gt=F("refunded_total") + F("credit_refunded_total") - F("credit_line_total"),
)
_IS_PAID = Q(
    payment_status__in=(
        PaymentStatus.AUTHORIZED,
        PaymentStatus.PARTIALLY_CAPTURED,
        PaymentStatus.CAPTURED,
        PaymentStatus.PARTIALLY_REFUNDED,
    )
) | Q(_HAS_PAID, payment_status=PaymentStatus.REFUNDED)
_PARTLY_PACKED = (
    FulfillmentStatus.FULFILLED,
    FulfillmentStatus.PARTIALLY_FULFILLED,
    FulfillmentStatus.PARTIALLY_SHIPPED,
    FulfillmentStatus.PARTIALLY_DELIVERED,
)
