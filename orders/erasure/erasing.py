"""Erasing a person."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import structlog
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Coalesce

from carts.models import Cart
from customers.models import Customer, CustomerAddress
from kit.database.locking import lock_rows, retry_on_conflict
from kit.domain.actor import Actor
from kit.safety.idempotency.mentions import erase_responses
from kit.spreadsheets.expiry import discard_personal
from kit.values.timestamps import now
from orders.access.transfers.open_transfers import end
from orders.erasure.account import delete_password_resets, erase_account
from orders.erasure.batches import batches
from orders.erasure.blockers import blockers_of
from orders.erasure.carts import erase_carts, erase_payments
from orders.erasure.credit import erase_credit
from orders.erasure.documents import erase_buyers
from orders.erasure.errors import ErasureBlocked
from orders.erasure.order_parts import erase_transfers
from orders.erasure.orders import erase_orders_with_payments, is_due
from orders.erasure.people import Person
from orders.erasure.traces import erase_history, erase_mails, erase_recipient, erase_refusals, erase_results
from orders.models import Order, OrderTransfer
from orders.states import TransferStatus

PERMISSION = "customers.erase_customer"
Watch = Callable[[int], object]
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Erased:
    """Numbers of orders.

    orders: including those that were erased before. waiting: to be erased once their retention time has passed.
    """

    orders: int
    waiting: int


def erase(*, actor: Actor, person: Person, watch: Watch = lambda done: None) -> Erased:
    """Erase the person's data: account, carts and traces now, each order after settings.ERASURE_RETENTION_DAYS.

    One transaction: an interrupted erasure has erased nothing. Repeating an erasure erases what was added since.
    watch: called with the number of orders in each erased batch; called again from the start if the transaction is
    retried. Raises ErasureBlocked, Conflict, Forbidden. Must not be called inside a transaction that others wait for.
    """
    actor.require(PERMISSION)
    erased = retry_on_conflict(partial(_erase, person, watch))
    log.info("a person was erased", customers=person.customer_ids, orders=erased.orders, waiting=erased.waiting)
    return erased


@transaction.atomic
def _erase(person: Person, watch: Watch) -> Erased:
    lock_rows(Customer.objects.filter(pk__in=person.customer_ids))
    carts: list[Cart] = lock_rows(person.carts)
    orders: list[Order] = lock_rows(person.orders)
    cart_ids = [cart.pk for cart in carts]
    _check(cart_ids)
    emails = {email for email in (*(cart.email for cart in carts), *(order.email for order in orders)) if email}
    person.orders.update(erasure_requested_at=Coalesce("erasure_requested_at", now()))
    due = [order for order in orders if is_due(order)]
    names, actors = _erase_now(person, cart_ids, names={*(order.pk for order in orders), *emails})
    for batch in batches(due):
        names |= erase_orders_with_payments(batch)
        watch(len(batch))
    erase_buyers()
    erase_responses(names=names, actors=actors)
    transaction.on_commit(discard_personal, robust=True)
    return Erased(orders=len(due), waiting=_waiting(orders))


def _waiting(orders: Sequence[Order]) -> int:
    return sum(order.erased_at is None and not is_due(order) for order in orders)


def _check(cart_ids: Sequence[str]) -> None:
    blockers = [blocker for batch in batches(cart_ids) for blocker in blockers_of(batch)]
    if blockers:
        raise ErasureBlocked([blocker.text for blocker in blockers])


def _erase_now(person: Person, cart_ids: Sequence[str], *, names: set[str]) -> tuple[set[str], list[str]]:
    """Erase everything but orders and stored responses; returns the names and actors by which responses are found.

    names: the ids of the orders, and email addresses.
    """
    transfers = OrderTransfer.objects.filter(Q(customer__in=person.customer_ids) | Q(order__in=person.orders))
    end(transfers.filter(status=TransferStatus.REQUESTED), TransferStatus.CANCELED)
    erase_transfers(transfers)
    addresses = CustomerAddress.objects.filter(customer__in=person.customer_ids).values_list("pk", flat=True)
    ids = {*person.customer_ids, *addresses, *cart_ids, *transfers.values_list("pk", flat=True)}
    ids |= {*erase_credit(person)}
    for batch in batches(cart_ids):
        erase_carts(batch)
        erase_payments(batch)
    actors = erase_account(person)
    if person.email:
        names = names | {person.email}
        ids |= {*delete_password_resets(person.email)}
        erase_recipient(person.email)
        erase_refusals(person.email)
    ids |= names
    for batch in batches(sorted(ids)):
        erase_mails(batch)
        erase_history(batch)
        erase_results(batch)
    return ids, actors
