"""What a user may do with an order in its current state. The forms are in orders/admin/forms."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from django.contrib.admin.utils import quote
from django.http import HttpRequest
from django.urls import reverse

from kit.admin.lists.kept_list import with_list
from kit.admin.request_actor import request_actor
from kit.domain.actor import Actor
from orders.admin.order_state import OrderState
from orders.states import ChangeKind, OrderStatus

WHOLE_ORDER = ""
Targets = Callable[[OrderState], Iterable[str]]
"""The ids that an action is offered for: WHOLE_ORDER for the order itself."""


class OfferedAction(NamedTuple):
    """A button. about: the id of the fulfillment, return or payment that it acts on; "" for the order.

    icon: the name of a Material Symbol. url: the URL of the form.
    """

    name: str
    label: str
    icon: str
    url: str
    about: str


class Action(NamedTuple):
    """A kind of button. permissions: the same as for the API's route."""

    label: str
    icon: str
    permissions: tuple[str, ...]
    targets: Targets


def actions_of(request: HttpRequest, state: OrderState) -> Sequence[OfferedAction]:
    """The actions that the user's permissions and the order's state allow, in the order of the work.

    The number of statements does not depend on the number of lines or fulfillments.
    """
    actor, order = request_actor(request), state.order
    return [
        OfferedAction(name, action.label, action.icon, with_list(request, action_url(order.pk, name, about)), about)
        for name, action in ACTIONS.items()
        if may_take(actor, action)
        for about in action.targets(state)
    ]


def may_take(actor: Actor, action: Action) -> bool:
    """Whether the actor has the permissions for the action."""
    return all(actor.may(permission) for permission in action.permissions)


def action_url(order_id: str, name: str, about: str = WHOLE_ORDER) -> str:
    """The URL of an action's form."""
    arguments = [quote(order_id), name, *([quote(about)] if about else [])]
    return reverse("admin:orders_order_action", args=arguments)


def _if(condition: Callable[[OrderState], object]) -> Targets:
    """The order itself, if the condition holds."""
    return lambda state: [WHOLE_ORDER] if condition(state) else []


def _is_returnable(state: OrderState) -> bool:
    return not state.order.is_canceled and any(state.returnable.values())


def _is_claimable(state: OrderState) -> bool:
    return not state.order.is_canceled and any(state.claimable.values())


def _open(kind: ChangeKind) -> Targets:
    """The open change, if it is of that kind."""
    return lambda state: [state.open_change.pk] if state.open_change and state.open_change.kind == kind else []


def _confirmable_edit(state: OrderState) -> Iterable[str]:
    return _open(ChangeKind.EDIT)(state) if state.is_editable else []


def _cancelable(kind: ChangeKind) -> Targets:
    """The changes of that kind that can be canceled: the open one, and confirmed ones."""
    return lambda state: [*_open(kind)(state), *(each.pk for each in state.unmoved_changes if each.kind == kind)]


_EDITING, _EXCHANGING = ("orders.add_orderchange",), ("orders.add_orderchange", "orders.add_return")
_CHANGING, _FULFILLING, _RETURNING = ("orders.change_order",), ("orders.change_fulfillment",), ("orders.change_return",)

ACTIONS: Mapping[str, Action] = {
    "pack": Action("Pack", "package_2", ("orders.add_fulfillment",), _if(lambda state: state.can_be_packed)),
    "ship": Action(
        "Ship",
        "local_shipping",
        _FULFILLING,
        lambda state: [each.pk for each in state.packed if each.requires_shipping],
    ),
    "add-label": Action(
        "Add label",
        "label",
        _FULFILLING,
        lambda state: [each.pk for each in state.undelivered if each.requires_shipping and each.shipped_at],
    ),
    "deliver": Action(
        "Mark as delivered", "where_to_vote", _FULFILLING, lambda state: [each.pk for each in state.undelivered]
    ),
    "cancel-fulfillment": Action("Unpack", "unarchive", _FULFILLING, lambda state: [each.pk for each in state.packed]),
    "capture": Action(
        "Capture", "download", ("payments.add_capture",), lambda state: [each.pk for each in state.capturable]
    ),
    "refund": Action("Refund", "undo", ("payments.add_refund",), _if(lambda state: state.is_refundable)),
    "edit": Action("Edit order", "edit_note", _EDITING, _if(lambda state: state.is_editable and not state.open_change)),
    "confirm-edit": Action("Confirm edit", "order_approve", _EDITING, _confirmable_edit),
    "cancel-edit": Action("Cancel edit", "cancel", _EDITING, _open(ChangeKind.EDIT)),
    "confirm-exchange": Action("Confirm exchange", "order_approve", _EXCHANGING, _open(ChangeKind.EXCHANGE)),
    "cancel-exchange": Action("Cancel exchange", "cancel", _EXCHANGING, _cancelable(ChangeKind.EXCHANGE)),
    "confirm-claim": Action("Confirm claim", "order_approve", _EXCHANGING, _open(ChangeKind.CLAIM)),
    "cancel-claim": Action("Cancel claim", "cancel", _EXCHANGING, _cancelable(ChangeKind.CLAIM)),
    "write-invoice": Action(
        "Write invoice", "receipt_long", ("orders.add_invoice",), _if(lambda state: state.is_invoiceable)
    ),
    "correct-invoice": Action("Correct", "undo", ("orders.correct_invoice",), lambda state: state.correctable),
    "send-payment-link": Action(
        "Send payment link", "link", ("payments.change_paymentcollection",), _if(lambda state: state.outstanding)
    ),
    "pay-by-credit": Action(
        "Pay by store credit",
        "account_balance_wallet",
        ("giftcards.add_transaction",),
        _if(lambda state: state.payable_by_credit),
    ),
    "mark-as-paid": Action(
        "Mark as paid",
        "price_check",
        ("payments.add_capture", "payments.change_paymentcollection"),
        _if(lambda state: state.outstanding),
    ),
    "request-return": Action("Request return", "assignment_return", ("orders.add_return",), _if(_is_returnable)),
    "exchange": Action(
        "Exchange", "swap_horiz", _EXCHANGING, _if(lambda state: _is_returnable(state) and not state.open_change)
    ),
    "claim": Action(
        "Settle a claim", "feedback", _EXCHANGING, _if(lambda state: _is_claimable(state) and not state.open_change)
    ),
    "receive-return": Action(
        "Receive return", "move_to_inbox", _RETURNING, lambda state: [each.pk for each in state.receivable]
    ),
    "cancel-return": Action(
        "Cancel return", "block", _RETURNING, lambda state: [each.pk for each in state.cancelable_returns]
    ),
    "note": Action("Add note", "sticky_note_2", ("orders.add_ordernote",), _if(lambda state: True)),
    "change-details": Action("Change details", "edit", _CHANGING, _if(lambda state: not state.order.is_canceled)),
    "send-mail": Action("Resend email", "forward_to_inbox", ("mails.add_mail",), _if(lambda state: state.mails)),
    "send-gift-card": Action(
        "Send gift card again",
        "redeem",
        ("giftcards.view_giftcard", "mails.add_mail"),
        _if(lambda state: state.bought_cards),
    ),
    "complete": Action("Complete", "task_alt", _CHANGING, _if(lambda state: state.may_become(OrderStatus.COMPLETED))),
    "archive": Action("Archive", "archive", _CHANGING, _if(lambda state: state.may_become(OrderStatus.ARCHIVED))),
    "cancel": Action("Cancel order", "block", ("orders.cancel_order",), _if(lambda state: state.is_cancelable)),
}
"""By name, in the order of the work. Their forms have the same names (orders/admin/forms)."""
