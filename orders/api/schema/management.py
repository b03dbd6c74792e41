"""Managing orders in GraphQL, for staff."""

from functools import partial
from typing import Any

from kit.domain.actor import Actor
from kit.graphql.fields.mutations import Change, Written, written_by
from kit.graphql.fields.reads import ListField
from orders.api.resources import ADMIN_ORDERS, ORDER_NOTES
from orders.api.serializers.inputs.transfers import CustomerTransferInput, GuestTransferInput
from orders.api.serializers.management import NamedOrderNoteInput, OrderChangesInput, OrderCompletionInput
from orders.managing import archiving, cancellation, completion, details, notes, transfers

_CHANGING, _VIEWING_NOTES = "orders.change_order", "orders.view_ordernote"
_of_order = partial(Change, ADMIN_ORDERS, viewing="orders.view_order")
_by = partial(written_by, key="order_id")


def _add_note(*, actor: Actor, **given: Any) -> Written:
    return Written(notes.add_note(actor=actor, **given))


MANAGEMENT_QUERIES = {
    "order_notes": ListField(ORDER_NOTES, "Notes of staff about orders. For staff.", permission=_VIEWING_NOTES)
}
MANAGEMENT_MUTATIONS = {
    "update_order": _of_order(
        "Change the email address, addresses, locale or metadata of an order that is not canceled.",
        act=_by(details.change),
        permission=_CHANGING,
        input=OrderChangesInput,
    ),
    "complete_order": _of_order(
        "Complete an order of which all items are delivered and nothing is pending, or with a note that says why.",
        act=_by(completion.complete),
        permission=_CHANGING,
        input=OrderCompletionInput,
    ),
    "archive_order": _of_order(
        "Archive a completed or canceled order.", act=_by(archiving.archive), permission=_CHANGING
    ),
    "cancel_order": _of_order(
        "Cancel an order of which nothing is shipped. Its money is voided or refunded after the response.",
        act=_by(cancellation.cancel),
        permission="orders.cancel_order",
    ),
    "admin_request_order_transfer": _of_order(
        "Request an order for a customer with an account. The order's email address gets an email to accept it.",
        act=_by(transfers.request_for),
        permission=_CHANGING,
        input=CustomerTransferInput,
    ),
    "admin_transfer_order_to_guest": _of_order(
        "Make an order that of a guest with this email address, at once.",
        act=_by(transfers.to_guest),
        permission=_CHANGING,
        input=GuestTransferInput,
    ),
    "admin_cancel_order_transfers": _of_order(
        "Cancel the requests to transfer an order.", act=_by(transfers.cancel_all), permission=_CHANGING
    ),
    "add_order_note": Change(
        ORDER_NOTES,
        "Add a note to an order. It cannot be changed.",
        act=_add_note,
        permission="orders.add_ordernote",
        viewing=_VIEWING_NOTES,
        input=NamedOrderNoteInput,
        by_id=False,
    ),
}
