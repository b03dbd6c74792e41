"""The job that calls the verb of a step for each order, or for each parcel, with its actor's present permissions."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from kit.domain.actor import Actor
from kit.errors import Conflict, DomainError, Forbidden, InvalidData, NotAllowed, NotFound
from kit.jobs.creation import create
from kit.jobs.kinds import Outcome, Piece
from kit.jobs.models import Job
from kit.jobs.work import GONE
from kit.safety.idempotency.replay import Answer, fingerprint, run_once
from kit.values.json import JSONObject
from orders.fulfillments.labels import NewLabel
from orders.fulfillments.locked_lines import lines_of
from orders.fulfillments.reserved_stock import ReservedStock
from orders.managing.bulk import steps
from orders.managing.bulk.parcels import Problem, Shipment
from orders.managing.bulk.steps import Step, Task
from orders.managing.bulk.tracking_rows import MOST_ROWS
from orders.models import Order
from staff.actors import staff_actor
from staff.models import User

JOB_KIND = "bulk_orders"
MOST = MOST_ROWS
"""The maximum of rows of a job."""


class Work(NamedTuple):
    """permissions: those of the verb, and to view orders. is_outside: as Piece has it."""

    title: str
    permissions: tuple[str, ...]
    step: Step
    is_outside: bool = False


_VIEW = "orders.view_order"
_CHANGE = (_VIEW, "orders.change_order")
WORKS: Mapping[str, Work] = {
    "pack": Work("Orders to be packed", (_VIEW, "orders.add_fulfillment"), steps.pack),
    "capture": Work("Payments to be captured", (_VIEW, "payments.add_capture"), steps.capture_all, is_outside=True),
    "ship": Work("Parcels to be shipped", (_VIEW, "orders.change_fulfillment"), steps.ship),
    "complete": Work("Orders to be completed", _CHANGE, steps.complete),
    "archive": Work("Orders to be archived", _CHANGE, steps.archive),
}
"""By name, in the order of the work."""


def start(*, actor: Actor, name: str, order_ids: Collection[str], ticket: str) -> str:
    """Start the work on these orders; returns the job's id. The same ticket starts it once.

    Raises InvalidData for more than MOST, Forbidden, KeyOfAnotherRequest, Conflict.
    """
    return _start(actor, name, ticket, list(order_ids), {})


def start_shipping(
    *, actor: Actor, shipments: Sequence[Shipment], problems: Sequence[Problem], no_notification: bool, ticket: str
) -> str:
    """Start shipping the parcels, each with its tracking number; problems: rows to be told with the others.

    The job does not keep what was pasted into those rows: nobody could tell whose it is when a person is erased.
    """
    parcels: JSONObject = {each.fulfillment_id: [each.order_id, each.name, each.tracking] for each in shipments}
    refused: JSONObject = {f"problem {place}": [each.place, each.reason] for place, each in enumerate(problems)}
    given: JSONObject = {"parcels": parcels, "problems": refused, "no_notification": no_notification}
    return _start(actor, "ship", ticket, [*parcels, *refused], given)


def _start(actor: Actor, name: str, ticket: str, keys: Sequence[str], given: JSONObject) -> str:
    work = WORKS[name]
    for permission in work.permissions:
        actor.require(permission)
    if len(keys) > MOST:
        raise InvalidData(f"At most {MOST} rows at once.")

    def created() -> Answer:
        parameters: JSONObject = {"work": name, **given}
        job = create(kind=JOB_KIND, title=work.title, actor_id=str(actor.id), keys=keys, parameters=parameters)
        return Answer(200, job.pk.encode())

    mark = fingerprint("POST", name, "", repr((keys, given)).encode())
    return run_once(actor=actor.mark, key=f"{JOB_KIND} {ticket}", fingerprint=mark, work=created).body.decode()


def pieces(job: Job, keys: Sequence[str]) -> Mapping[str, Piece]:
    """The work on these rows. Without the permissions, or once the row is gone, it is refused, so that each is told."""
    actor, given = staff_actor(User.objects.get(pk=job.actor_id)), job.parameters
    parcels, problems = given.get("parcels", {}), given.get("problems", {})
    order_of = {key: parcels[key][0] if key in parcels else key for key in keys if key not in problems}
    orders = Order.objects.not_deleted().in_bulk(set(order_of.values()))
    found = {key: _refusal(*problems[key]) for key in keys if key in problems}
    for key, order_id in order_of.items():
        _, label, tracking = parcels.get(key, (order_id, "", ""))
        if order_id in orders:
            task = Task(actor, job.pk, orders[order_id])
            if key in parcels:
                labels = [NewLabel(tracking)] if tracking else []
                task = task._replace(fulfillment_id=key, labels=labels, no_notification=given["no_notification"])
            found[key] = _piece(WORKS[given["work"]], task, label or str(task.order))
        else:
            found[key] = _refusal(label or order_id, GONE)
    return found


def _piece(work: Work, task: Task, label: str) -> Piece:
    return Piece(label, partial(_checked, work, task), about=task.order.pk, is_outside=work.is_outside)


def _refusal(label: str, reason: str) -> Piece:
    def refuse() -> None:
        raise NotFound(reason)

    return Piece(label, refuse, about="")


def _checked(work: Work, task: Task) -> Outcome:
    try:
        for permission in work.permissions:
            task.actor.require(permission)
        return work.step(task)
    except Conflict:
        raise
    except Forbidden as refusal:  # which would end the job, without a word about the other rows
        raise NotAllowed(refusal.message) from refusal
    except DomainError as refusal:
        raise NotAllowed(_with_names(refusal.message, task.order)) from refusal


def _with_names(message: str, order: Order) -> str:
    """The message with names in place of the ids of the order, its lines and where they are reserved."""
    names = {order.pk: str(order)}
    if "ordli_" in message or "sloc_" in message:
        lines = lines_of(order.pk)
        names |= {**{line.id: line.name for line in lines.values()}, **ReservedStock(lines).names}
    for key, name in names.items():
        message = message.replace(key, name)
    return message
