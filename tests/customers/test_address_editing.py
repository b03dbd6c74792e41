"""Addresses as staff write them: many rows by the same few statements, at most one default of each kind."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from customers import address_editing
from customers.models import Customer, CustomerAddress
from kit.domain.actor import ANONYMOUS, SYSTEM
from kit.editing.states import RowsRefused, RowState
from kit.errors import Forbidden, NotFound
from tests.factories.customers import CustomerFactory

pytestmark = pytest.mark.django_db


def put(*states: RowState) -> list[str]:
    return [edited.row.pk for edited in address_editing.VERBS.put(actor=SYSTEM, states=states)]


def defaults(customer: Customer) -> list[tuple[str | None, str | None]]:
    """The cities of the default addresses: shipping, billing."""
    rows = CustomerAddress.objects.filter(customer=customer)
    return [
        tuple(rows.filter(**{flag: True}).values_list("city", flat=True))
        for flag in ("is_default_shipping", "is_default_billing")
    ]


def test_five_cost_as_many_statements_as_a_hundred() -> None:
    def statements(amount: int) -> int:
        customers = [CustomerFactory().pk for _ in range(amount)]
        with CaptureQueriesContext(connection) as captured:
            made = put(
                *(
                    address_editing.VERBS.state(customer_id=key, city="Reno", is_default_shipping=True)
                    for key in customers
                )
            )
            put(
                *(
                    address_editing.VERBS.state(id=key, city="Ulm", country_code="DE", is_default_billing=True)
                    for key in made
                )
            )
            assert set(CustomerAddress.objects.filter(pk__in=made).values_list("city", "country_code")) == {
                ("Ulm", "de")
            }
            address_editing.VERBS.delete(actor=SYSTEM, ids=made)
        return len(captured)

    assert statements(5) == statements({"postgresql": 100, "sqlite": 20}[connection.vendor])
    assert not CustomerAddress.objects.exists()


def test_a_new_default_replaces_the_one_of_the_same_customer() -> None:
    ann, bea = CustomerFactory(), CustomerFactory()
    old, _ = put(
        address_editing.VERBS.state(customer_id=ann.pk, city="Reno", is_default_shipping=True, is_default_billing=True),
        address_editing.VERBS.state(customer_id=bea.pk, city="Bern", is_default_shipping=True),
    )
    put(
        address_editing.VERBS.state(id=old, company="Quayside"),  # in the same batch, and not about its flags
        address_editing.VERBS.state(customer_id=ann.pk, city="Ulm", is_default_shipping=True),
    )
    assert defaults(ann) == [("Ulm",), ("Reno",)]
    assert defaults(bea) == [("Bern",), ()]
    put(address_editing.VERBS.state(id=old, is_default_shipping=True))
    assert defaults(ann) == [("Reno",), ("Reno",)]


def test_a_fault_names_its_row_and_nothing_is_written() -> None:
    ann = CustomerFactory()
    with pytest.raises(RowsRefused) as refused:
        put(
            address_editing.VERBS.state(customer_id=ann.pk, is_default_shipping=True),
            address_editing.VERBS.state(customer_id=ann.pk, is_default_shipping=True),
            address_editing.VERBS.state(customer_id=ann.pk, city="two\nlines"),
            address_editing.VERBS.state(customer_id=ann.pk, country_code="xx"),
        )
    assert [(fault.index, fault.field) for fault in refused.value.faults] == [
        (2, "city"),
        (3, "country_code"),
        (1, "is_default_shipping"),
    ]
    assert not CustomerAddress.objects.exists()


def test_permissions_and_unknown_rows() -> None:
    (key,) = put(address_editing.VERBS.state(customer_id=CustomerFactory().pk))
    for call in (
        lambda: address_editing.VERBS.put(
            actor=ANONYMOUS, states=[address_editing.VERBS.state(customer_id=CustomerFactory().pk)]
        ),
        lambda: address_editing.VERBS.put(actor=ANONYMOUS, states=[address_editing.VERBS.state(id=key, city="Ulm")]),
        lambda: address_editing.VERBS.delete(actor=ANONYMOUS, ids=[key]),
    ):
        with pytest.raises(Forbidden):
            call()
    for unknown in ("cuaddr_none", "\0"):
        with pytest.raises(NotFound):
            put(address_editing.VERBS.state(id=unknown, city="Ulm"))
