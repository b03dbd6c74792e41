"""Carts whose money waits for an order."""

from datetime import datetime
from typing import NamedTuple

from django.db.migrations.recorder import MigrationRecorder
from django.db.models import F, Q, QuerySet

from payments.models import Payment


class PaidCart(NamedTuple):
    """A cart, and the collection that holds its money."""

    cart_id: str
    collection_id: str


def carts_to_complete(*, since: datetime) -> list[PaidCart]:
    """Open carts with a payment that was authorized since then."""
    return _carts(_waiting().filter(session__authorized_at__gte=since, canceled_at=None))


def carts_to_refund(*, before: datetime) -> list[PaidCart]:
    """Open carts with money that was authorized or captured before then, and has not been returned.

    Not money from before the shop knew orders: its carts stand for orders that staff keep elsewhere.
    """
    since = _orders_since()
    captured = Q(
        captures__created_at__lt=before, captures__created_at__gt=since, captured_amount__gt=F("returned_amount")
    )
    authorized = Q(session__authorized_at__lt=before, session__authorized_at__gt=since, captured_amount=0)
    return _carts(_waiting().filter(captured | (authorized & Q(canceled_at=None))))


def _orders_since() -> datetime:
    """When the tables of orders were made: by the first migration of their app."""
    made: datetime = MigrationRecorder.Migration.objects.filter(app="orders").earliest("applied").applied
    return made


def _waiting() -> QuerySet[Payment]:
    waiting: QuerySet[Payment] = Payment.objects.not_deleted().filter(
        collection__order_id=None, collection__cart__completed_at=None, collection__cart__closed_at=None
    )
    return waiting


def _carts(payments: QuerySet[Payment]) -> list[PaidCart]:
    rows = payments.values_list("collection__cart_id", "collection_id").distinct().order_by("collection__cart_id")
    return [PaidCart(cart_id, collection_id) for cart_id, collection_id in rows]
