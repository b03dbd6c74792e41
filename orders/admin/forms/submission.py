"""Submission of a form: done once, under the order's lock, with an entry in the history."""

from functools import partial

from django.contrib import messages
from django.http import HttpRequest

from kit.admin.actions.repeated_amounts import RepeatedAmount
from kit.admin.history.shown_values import saved_by
from kit.domain.actor import Actor
from kit.errors import DomainError
from kit.safety.idempotency.replay import Answer, fingerprint, idempotency_digest, is_answered, run_once
from orders.admin.actions import ACTIONS
from orders.admin.forms.action_form import ActionForm, ProviderForm, stamp_of
from orders.common.locked_order import lock_order
from orders.managing import history
from orders.models import Order
from orders.refunds.errors import OrderChanged

FORM_KEYS = "orders.admin"
_DONE, _OPEN = 200, 202
_UNSIGNED = frozenset({"csrfmiddlewaretoken", "shown_at"})


class NotAcceptedError(Exception):
    """The form has errors or a question to show, or the order has changed."""

    def __init__(self, *, has_changed: bool = False) -> None:
        super().__init__()
        self.has_changed = has_changed


def submit(form: ActionForm, name: str, actor: Actor, request: HttpRequest) -> tuple[int, str]:
    """Do what the form says, once; returns the level and text of a message. Repeated, it only returns the message.

    Raises NotAcceptedError. The form then shows the reason or its question, unless the order has changed.
    """
    key = f"{FORM_KEYS}.{name} {request.POST.get('ticket', '')}"[:255]
    try:
        if isinstance(form, ProviderForm) and not is_answered(actor=actor.mark, key=key):
            _call_verb(form, name, actor, idempotency_digest(actor=actor.mark, key=key))
        answer = run_once(
            actor=actor.mark,
            key=key,
            fingerprint=fingerprint_of(request),
            work=partial(_work, form, name, actor),
            request=f"{form.order.pk} {form.about}".encode(),  # by which an erasure finds the stored message
        )
    except OrderChanged as change:
        raise NotAcceptedError(has_changed=True) from change
    except DomainError as refusal:
        form.is_valid()
        form.refuse(refusal)
        raise NotAcceptedError from refusal
    return messages.SUCCESS if answer.status == _DONE else messages.WARNING, answer.body.decode()


def changed_message(order: Order, shown_at: str) -> str:
    """The message for a user whose form showed an earlier state of the order."""
    who = saved_by(order, shown_at)
    return f"Nothing was done: this order was changed {who} while this form was open. It is now {statuses_of(order)}."


def statuses_of(order: Order) -> str:
    """`pending, payment authorized, not fulfilled`."""
    payment, fulfillment = order.get_payment_status_display(), order.get_fulfillment_status_display()
    return f"{order.get_status_display()}, payment {payment}, {fulfillment}".lower()


def is_offered(form: ActionForm, name: str) -> bool:
    """Whether the order's state still allows the action."""
    return form.about in ACTIONS[name].targets(form.state)


def _work(form: ActionForm, name: str, actor: Actor) -> Answer:
    if not isinstance(form, ProviderForm):
        order = lock_order(form.order.pk)
        _check(form, name, order)
    message = form.act(actor)
    if not form.is_recorded_by_verb:
        history.record(form.order, message, actor=actor)
    return Answer(_DONE if form.is_done else _OPEN, message.encode())


def _call_verb(form: ProviderForm, name: str, actor: Actor, digest: str) -> None:
    try:
        _check_once(form, name, digest)
        form.call_verb(actor, digest)
    except (NotAcceptedError, DomainError):
        if not form.resume(digest):  # what the same form has begun has changed the order
            raise


def _check_once(form: ProviderForm, name: str, digest: str) -> None:
    if not form.is_begun(digest):
        _check(form, name, form.order)
    elif not form.is_valid():
        raise NotAcceptedError


def _check(form: ActionForm, name: str, order: Order) -> None:
    """order: the current one; that of the form may have been read earlier."""
    if form.is_about_state:
        present = stamp_of(order)
        if form.data.get("shown_state") != present or stamp_of(form.order) != present:
            raise NotAcceptedError(has_changed=True)
    is_valid = form.is_valid()
    if not is_offered(form, name):
        statuses = f"The order's state no longer allows this: it is {statuses_of(order)}."
        form.add_error(None, form.why_not() or statuses)
        raise NotAcceptedError
    if not is_valid or (isinstance(form, RepeatedAmount) and not form.is_confirmed()):
        raise NotAcceptedError


def fingerprint_of(request: HttpRequest) -> str:
    """What makes two submissions of a form the same: all that it sends, apart from when it was shown."""
    values = sorted((name, value) for name in request.POST.keys() - _UNSIGNED for value in request.POST.getlist(name))
    return fingerprint("POST", request.path, "", repr(values).encode())
