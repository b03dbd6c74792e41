"""Locking a customer, for the customer themselves and for staff with the permission."""

from customers.errors import CustomerNotFound
from customers.models import Customer
from kit.database.locking import lock_row
from kit.domain.actor import Actor
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.text import is_storable


def lock_customer(*, actor: Actor, customer_id: str) -> Customer:
    """The customer, locked until the transaction ends. The lock also guards the rows that belong to the customer.

    Raises CustomerNotFound (also for a deleted one), Forbidden for other actors without the permission.
    """
    _require_access(actor, customer_id)
    customer: Customer | None = lock_row(Customer.objects.not_deleted(), customer_id)
    if customer is None:
        raise CustomerNotFound(customer_id)
    return customer


def lock_customer_id(*, actor: Actor, customer_id: str) -> None:
    """Lock the customer without loading the row. Raises as lock_customer."""
    _require_access(actor, customer_id)
    if not (is_storable(customer_id) and _LOCKED.read([customer_id])):
        raise CustomerNotFound(customer_id)


def _require_access(actor: Actor, customer_id: str) -> None:
    if not (actor.type == "customer" and actor.id == customer_id):
        actor.require("customers.change_customer")


_LOCKED = KeyedRows(Customer.objects.not_deleted, key="id", columns=("id",), locked=True)
