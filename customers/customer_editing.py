"""Customers, as staff maintain them. A new one is a guest."""

from collections.abc import Sequence
from typing import Any

from customers.deletion import delete_customers
from customers.models import Customer
from customers.tax_exemption import EXEMPTION, check_countries
from kit.domain.absent import ABSENT
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


VERBS = RowVerbs(
    Customer, ("email", *LINES, *EXEMPTION, "groups", "note", "metadata"), check=_check, delete=delete_customers
)
"""email: fixed for an account, which it signs in to."""
