"""Creating, changing, deleting and restoring customer groups, any number at once."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from customers.models import CustomerGroup
from customers.tax_exemption import TaxExemptionState, check_countries
from kit.domain.absent import ABSENT, Absent
from kit.domain.actor import Actor
from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.rows import RowEdits
from kit.editing.states import Edited
from kit.editing.verbs import RowVerbs
from kit.values.metadata import Metadata


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupState(TaxExemptionState):
    """The desired state of a group. Its members are edited with the customers."""

    name: str | Absent = ABSENT
    metadata: Metadata | Absent | None = ABSENT


@transaction.atomic
def put(*, actor: Actor, states: Sequence[GroupState]) -> list[Edited[CustomerGroup]]:
    """Create and change groups: all of them, or none. Raises NotFound, RowsRefused, Forbidden."""
    edits = RowEdits(CustomerGroup, states, actor=actor)
    check_countries(edits, states)
    return edits.write()


@transaction.atomic
def delete(*, actor: Actor, ids: Sequence[str]) -> None:
    """Soft-delete groups; customers stay their members. Raises NotFound, Forbidden."""
    delete_rows(CustomerGroup, ids, actor=actor)


@transaction.atomic
def restore(*, actor: Actor, ids: Sequence[str]) -> None:
    """Restore groups, and the memberships with them. Raises NotFound, NotDeleted, ValueTaken, Forbidden."""
    restore_rows(CustomerGroup, ids, actor=actor)


VERBS = RowVerbs(state=GroupState, put=put, delete=delete, restore=restore)
