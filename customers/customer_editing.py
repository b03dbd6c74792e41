"""Creating and changing customers as staff do, any number at once."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db import transaction

from customers.models import Customer
from customers.tax_exemption import TaxExemptionState, check_countries
from kit.domain.absent import ABSENT, Absent
from kit.domain.actor import Actor
from kit.editing.rows import RowEdits
from kit.editing.states import Edited
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData
from kit.values.email_address import checked
from kit.values.metadata import Metadata
from kit.values.text import LONGEST, fault

LINES = ("company_name", "first_name", "last_name", "phone", "tax_number")


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomerState(TaxExemptionState):
    """The desired state of a customer; a new one is a guest. email: fixed for an account, which it signs in to."""

    email: str | Absent = ABSENT
    company_name: str | Absent | None = ABSENT
    first_name: str | Absent | None = ABSENT
    last_name: str | Absent | None = ABSENT
    phone: str | Absent | None = ABSENT
    tax_number: str | Absent | None = ABSENT
    note: str | Absent | None = ABSENT
    groups: Collection[str] | Absent = ABSENT
    metadata: Metadata | Absent | None = ABSENT


@transaction.atomic
def put(*, actor: Actor, states: Sequence[CustomerState]) -> list[Edited[Customer]]:
    """Create and change customers: all of them, or none. Raises NotFound, RowsRefused, Forbidden."""
    edits = RowEdits(Customer, states, actor=actor)
    for index, (state, row) in enumerate(zip(states, edits.rows, strict=True)):
        for name in LINES:
            problem = fault(getattr(row, name) or "", longest=LONGEST, one_line=True)
            if problem and getattr(state, name) is not ABSENT:
                edits.refuse(index, name, InvalidData(f"Value for field '{name}' {problem}"))
        if state.email is not ABSENT or state.id is None:
            _check_email(edits, index, row)
    check_countries(edits, states)
    return edits.write()


def _check_email(edits: RowEdits[Customer], index: int, row: Customer) -> None:
    if row.has_account:
        edits.refuse(index, "email", InvalidData("The email of a customer with an account cannot be changed"))
        return
    try:
        edits.change(index, {"email": checked(row.email or "")})
    except InvalidData as refusal:
        edits.refuse(index, "email", refusal)


VERBS = RowVerbs(state=CustomerState, put=put)
