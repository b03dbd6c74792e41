"""The history of a collection, in tables below its screen."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from django.db.models import Model, Q, QuerySet
from django.utils.text import capfirst

from kit.admin.lists.amounts import shown
from kit.admin.lists.row_link import row_link
from kit.values.shown_dates import shown_moment
from payments.models import Capture, Intent, PaymentCollection, ProviderEvent, Refund
from payments.states import Result
from shop.provider_name import provider_name
from staff.authors import author, with_author

MAX_ROWS = 50
Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True)
class Table:
    """rows: cells of text or safe HTML, newest first."""

    title: str
    headers: tuple[str, ...]
    rows: list[tuple[str, ...]]


def tables(collection: PaymentCollection) -> list[Table]:
    """The tables that have rows: one statement each, at most MAX_ROWS rows."""
    made = (_captures(collection), _refunds(collection), _requests(collection), _events(collection))
    return [table for table in made if table.rows]


def _captures(collection: PaymentCollection) -> Table:
    rows = with_author(Capture.objects.filter(payment__collection=collection)).select_related("payment")
    return Table(
        "Captures",
        ("When", "Amount", "Payment", "By"),
        [(shown_moment(row.created_at), _worth(row), _payment(row), author(row)) for row in _newest(rows)],
    )


def _refunds(collection: PaymentCollection) -> Table:
    rows = with_author(Refund.objects.filter(payment__collection=collection))
    return Table(
        "Refunds",
        ("When", "Amount", "Payment", "Reason", "Note", "By"),
        [
            (
                shown_moment(row.created_at),
                _worth(row),
                _payment(row),
                str(row.refund_reason or ""),
                row.note or "",
                author(row),
            )
            for row in _newest(rows.select_related("payment", "refund_reason"))
        ],
    )


def _requests(collection: PaymentCollection) -> Table:
    unsettled = Q(done_at=None) | Q(result=Result.REFUSED)
    rows = with_author(Intent.objects.filter(unsettled, session__collection=collection)).select_related("session")
    return Table(
        "Pending or refused requests",
        ("When", "Action", "Amount", "State", "Error", "Attempts", "Next attempt", "By"),
        [
            (
                shown_moment(row.created_at),
                row.get_act_display(),
                "" if row.amount is None else shown(row.amount, row.session.currency_id),
                "refused" if row.done_at else "open",
                row.error,
                str(row.attempts),
                "" if row.done_at or row.claimed_until is None else shown_moment(row.claimed_until),
                author(row),
            )
            for row in _newest(rows)
        ],
    )


def _events(collection: PaymentCollection) -> Table:
    rows = ProviderEvent.objects.filter(session__collection=collection)
    return Table(
        "Events from the provider",
        ("When", "Action", "Session", "Event"),
        [
            (shown_moment(row.created_at), capfirst(row.action.replace("_", " ")), _session(row), row.event_id)
            for row in _newest(rows.select_related("session"))
        ],
    )


def _newest(rows: QuerySet[Row]) -> Iterable[Row]:
    return rows.order_by("-pk")[:MAX_ROWS]


def _worth(row: Capture | Refund) -> str:
    return shown(row.amount, row.payment.currency_id)


def _payment(row: Capture | Refund) -> str:
    return row_link("payments_payment_change", row.payment_id, provider_name(row.payment.provider_id))


def _session(row: ProviderEvent) -> str:
    return "" if row.session is None else row_link("payments_paymentsession_change", row.session.pk, str(row.session))
