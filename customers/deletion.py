"""Deleting customers."""

from collections.abc import Sequence

from auth.account_types.identities import delete_identities
from customers.models import Customer, CustomerAddress
from kit.domain.actor import Actor
from kit.editing.deletion import delete_rows


def delete_customers(model: type[Customer], ids: Sequence[str], *, actor: Actor) -> None:
    """Soft-delete customers with their addresses. Tokens and sessions end immediately, and the emails are free again.

    Raises NotFound, Forbidden (also for customers themselves).
    """
    delete_rows(model, ids, actor=actor, parts=((CustomerAddress, "customer"),))
    delete_identities(customer_ids=ids)
