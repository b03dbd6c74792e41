"""Creating, changing and deleting rows of one table in one request: all of them, or none."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from kit.domain.actor import Actor
from kit.domain.missing_row import given_by
from kit.editing.reporting import reported
from kit.editing.states import Fault, RowsRefused
from kit.editing.verbs import RowVerbs
from kit.errors import MOST_NAMED, DomainError, InvalidData, NotFound

MOST_ROWS = 500


@dataclass(frozen=True, slots=True)
class Batch:
    """Ids of the rows, in the order of the request."""

    created: list[str]
    updated: list[str]
    deleted: list[str]


@transaction.atomic
@reported()
def write_batch(
    verbs: RowVerbs[Any],
    *,
    actor: Actor,
    create: Sequence[Mapping[str, Any]] = (),
    update: Sequence[Mapping[str, Any]] = (),
    delete: Sequence[str] = (),
) -> Batch:
    """Write at most 500 rows. Deletes first, so that other rows can take the values of the deleted ones.

    create, update: values of the verbs' states, the latter with `id`.
    Raises the error of the first refused row; its message names all of them: `create[3].value: …`. Forbidden.
    """
    number = len(create) + len(update) + len(delete)
    if number > MOST_ROWS:
        raise InvalidData(f"A batch can have {MOST_ROWS} rows at most, and this one has {number}")
    if delete:
        with naming("delete"):
            verbs.delete(actor=actor, ids=delete)
    states = [verbs.state(merges_metadata=True, **values) for values in (*create, *update)]
    try:
        with naming("update"):
            edited = verbs.put(actor=actor, states=states) if states else ()
    except RowsRefused as refusal:
        raise named_refusal(
            refusal,
            [f"create[{index}]" for index in range(len(create))] + [f"update[{index}]" for index in range(len(update))],
        ) from None
    ids = [one.row.pk for one in edited]
    return Batch(ids[: len(create)], ids[len(create) :], [*delete])


@contextmanager
def naming(field: str) -> Iterator[None]:
    """Turn NotFound into InvalidData that names the field: the row is named by the body, not by the path."""
    try:
        yield
    except NotFound as error:
        raise InvalidData(given_by(error.message, field)) from error


def named_refusal(refusal: RowsRefused, places: Sequence[str]) -> DomainError:
    """The error of the first fault, with a message that names the place of each. places: of the refused states."""
    first = refusal.faults[0].error
    first.message = "; ".join(_named(fault, places[fault.index]) for fault in refusal.faults[:MOST_NAMED])
    return first


def _named(fault: Fault, place: str) -> str:
    return f"{place}.{fault.field}: {fault.error.message}" if fault.field else f"{place}: {fault.error.message}"
