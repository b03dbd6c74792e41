"""Adding notes of staff to an order. Notes never change."""

from django.db import transaction

from kit.domain.actor import Actor
from kit.values import text
from orders.common.locked_order import lock_order
from orders.managing import history
from orders.models import Order, OrderNote

LONGEST_NOTE = 5_000
ADDED_A_NOTE = "Added a note."


@transaction.atomic
def add_note(*, actor: Actor, order_id: str, text: str) -> str:
    """Add a note to an order of any status; returns its id. Customers never see it.

    Raises OrderNotFound, InvalidData (text), Forbidden.
    """
    actor.require("orders.add_ordernote")
    checked = checked_note(text, field="text")
    order = lock_order(order_id)
    note = write_note(order, checked, actor=actor)
    history.record(order, ADDED_A_NOTE, actor=actor)
    return note.pk


def checked_note(given: str, *, field: str) -> str:
    """The text as it is. Raises InvalidData, naming the field."""
    return text.checked(given, field=field, longest=LONGEST_NOTE, may_be_blank=False)


def write_note(order: Order, checked: str, *, actor: Actor) -> OrderNote:
    """Insert a note whose text is checked. order: locked. One statement."""
    return OrderNote.objects.create(order=order, text=checked, created_by=actor.id)
