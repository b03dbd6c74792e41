"""The person to erase: a customer with an account, or a guest, whose rows share only an email address."""

from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Q, QuerySet

from carts.models import Cart
from customers.errors import CustomerNotFound
from customers.models import Customer
from kit.query.key_unions import in_any
from kit.values import email_address
from orders.erasure.errors import GuestNotFound, NotGuestOrder
from orders.models import Order

_OF_GUEST = Q(customer=None) | Q(customer__has_account=False)


def guest_rows(email: str) -> Q:
    """Orders or carts of guests with that email address."""
    return Q(_OF_GUEST, email=email)


@dataclass(frozen=True, slots=True)
class Person:
    """customer_ids: of the account, or of the guest's rows (often none). email: of the account or guest.

    order_ids: of an erased guest, whose orders no email address connects any more.
    A guest's orders do not belong to an account with the same email address, and are not erased with it.
    Why: docs/decisions/orders.md#a-guest-and-an-account-are-two-people.
    """

    customer_ids: tuple[str, ...]
    email: str | None
    is_guest: bool
    order_ids: tuple[str, ...] = ()

    @property
    def orders(self) -> QuerySet[Order]:
        """The person's orders, including erased ones."""
        conditions = [*self._conditions, *([Q(pk__in=self.order_ids)] if self.order_ids else [])]
        orders: QuerySet[Order] = Order.objects.filter(
            reduce(or_, conditions), in_any(*_keys(Order.objects.all(), conditions))
        )
        return orders

    @property
    def carts(self) -> QuerySet[Cart]:
        """The person's carts, including those of transferred orders."""
        ordered = self.orders.values("cart_id")
        carts: QuerySet[Cart] = Cart.objects.filter(
            reduce(or_, self._conditions) | Q(pk__in=ordered),
            in_any(*_keys(Cart.objects.all(), self._conditions), ordered),
        )
        return carts

    @property
    def _conditions(self) -> list[Q]:
        """Checked again after waiting for a row's lock: another customer may have taken it over."""
        theirs = Q(customer__in=self.customer_ids)
        return [theirs, guest_rows(self.email)] if self.is_guest and self.email else [theirs]


def _keys(rows: "QuerySet[Any]", conditions: list[Q]) -> "list[QuerySet[Any, Any]]":
    return [rows.filter(condition).values("pk") for condition in conditions]


def customer(customer_id: str) -> Person:
    """The person with that customer id, deleted or not. Raises CustomerNotFound."""
    row: Customer | None = Customer.objects.with_id(customer_id)
    if row is None:
        raise CustomerNotFound(customer_id)
    if row.has_account or row.email is None:
        return Person((row.pk,), row.email, is_guest=False)
    return _guest(row.email, extra=row.pk)


def guest(email: str) -> Person:
    """The guest with that email address. Raises GuestNotFound, InvalidData."""
    address = email_address.checked(email)
    person = _guest(address)
    if not person.customer_ids and not person.orders.exists() and not person.carts.exists():
        raise GuestNotFound(address)
    return person


def guest_of(order_id: str) -> Person:
    """The guest who placed the order; for an erased order, its person alone. Raises NotGuestOrder."""
    order: Order | None = Order.objects.filter(_OF_GUEST).with_id(order_id)
    if order is None:
        raise NotGuestOrder(order_id)
    if order.email is not None:
        return _guest(order.email)
    return Person(tuple(filter(None, (order.customer_id,))), None, is_guest=True, order_ids=(order.pk,))


def _guest(email: str, *, extra: str | None = None) -> Person:
    """extra: the id of a customer to include, even a deleted one."""
    rows = Customer.objects.filter(Q(email=email, has_account=False) | Q(pk=extra))
    return Person(tuple(rows.order_by("pk").values_list("pk", flat=True)), email, is_guest=True)
