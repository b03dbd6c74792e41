"""Orders that were edited: what they owe, an edit that is open, and the verbs about both."""

from decimal import Decimal
from typing import NamedTuple

from catalog.models import ProductVariant
from kit.domain.actor import SYSTEM, Actor
from orders.changes import confirmation, items, lifecycle
from orders.changes.added_lines import NewItem
from orders.changes.editing import edit
from orders.mails.payment_links import token_of
from orders.managing import credit_lines, payment_collections
from orders.managing.payment_links import creation as links
from orders.managing.payment_links import paying
from orders.models import Order
from payments.models import PaymentCollection
from payments.sessions import authorization, starting
from tests.payments.providers import FAKE

OWED = Decimal(30)


class Owed(NamedTuple):
    """The ids of the collection that asks for what an order owes, and of its session; the token of a link."""

    collection_id: str = "pay_col_none"
    session_id: str = "payses_none"
    token: str = "none"


def edited(order: Order, staff: Actor, variants: list[ProductVariant], lowered_id: str | None) -> Owed:
    """An edit has added a unit of 30, which a payment and a link are to pay; another edit is open.

    That one adds a unit of each variant, and lowers a line to one unit if there is one that can be lowered.
    """
    edit(actor=staff, order_id=order.pk, added_items=[NewItem(variants[0].pk, 1)])
    collection = PaymentCollection.objects.get(order_id=order.pk, cart=None)
    session_id = starting.start_session(actor=SYSTEM, collection_id=collection.pk, provider_id=FAKE)
    link_id = links.create(actor=staff, order_id=order.pk, no_notification=True)
    lifecycle.begin(actor=staff, order_id=order.pk)
    items.add(actor=staff, order_id=order.pk, items=[NewItem(variant.pk, 1) for variant in reversed(variants)])
    if lowered_id is not None:
        items.change_line(actor=staff, order_id=order.pk, line_id=lowered_id, quantity=1)
    return Owed(collection.pk, session_id, token_of(link_id))


def confirm(staff: Actor, order_id: str) -> None:
    confirmation.confirm(actor=staff, order_id=order_id)


def cancel(staff: Actor, order_id: str) -> None:
    lifecycle.cancel(actor=staff, order_id=order_id)


def mark_as_paid(staff: Actor, order_id: str, owed: Owed) -> None:
    payment_collections.mark_as_paid(actor=staff, collection_id=owed.collection_id, order_id=order_id)


def delete_collection(staff: Actor, owed: Owed) -> None:
    payment_collections.delete(actor=staff, collection_id=owed.collection_id)


def ask_for_less(staff: Actor, order_id: str) -> None:
    payment_collections.create(actor=staff, order_id=order_id, amount=Decimal(20))


def pay_by_credit(staff: Actor, order_id: str) -> None:
    given = {"reference": "order_change", "reference_id": "one"}
    credit_lines.create(actor=staff, order_id=order_id, amount=Decimal(5), **given)


def pay_by_link(owed: Owed) -> None:
    paying.pay(token=owed.token, provider_id=FAKE, amount=OWED)


def authorize(owed: Owed) -> None:
    authorization.authorize(actor=SYSTEM, session_id=owed.session_id)
