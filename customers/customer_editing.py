"""Customers, as staff maintain them. A new one is a guest."""

from collections.abc import Sequence
from typing import Any

from auth.account_types.identities import delete_identities
from customers.models import Customer, CustomerAddress
from customers.tax_exemption import EXEMPTION, check_countries
from kit.domain.absent import ABSENT
from kit.domain.actor import Actor
from kit.editing.deletion import delete_rows
from kit.editing.rows import RowEdits
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData
from kit.values.email_address import checked
from kit.values.text import LONGEST, fault

LINES = ("company_name", "first_name", "last_name", "phone", "tax_number")


def _check(edits: RowEdits[Customer], states: Sequence[Any]) -> None:
    for index, (state, row) in enumerate(zip(states, edits.rows, strict=True)):
        for name in LINES:
            problem = fault(getattr(row, name) or "", longest=LONGEST, one_line=True)
            if problem and getattr(state, name) is not ABSENT:
                edits.refuse(index, name, InvalidData(f"Value for field '{name}' {problem}"))
        if state.email is not ABSENT or state.id is None:
            _check_email(edits, index, row)
    check_countries(edits, states)


def _check_email(edits: RowEdits[Customer], index: int, row: Customer) -> None:
    try:
        edits.change(index, {"email": checked(row.email or "")})
    except InvalidData as refusal:
        edits.refuse(index, "email", refusal)
    if row.has_account and row.email != edits.replaced("email").get(row.pk, row.email):
        edits.refuse(index, "email", InvalidData("The email of a customer with an account cannot be changed"))


def _delete(model: type[Customer], ids: Sequence[str], *, actor: Actor) -> None:
    """Soft-delete customers with their addresses. Tokens and sessions end immediately, and the emails are free again.

    Raises NotFound, Forbidden (also for customers themselves).
    """
    delete_rows(model, ids, actor=actor, parts=((CustomerAddress, "customer"),))
    delete_identities(customer_ids=ids)


VERBS = RowVerbs(Customer, ("email", *LINES, *EXEMPTION, "groups", "note", "metadata"), check=_check, delete=_delete)
"""email: fixed for an account, which it signs in to."""
