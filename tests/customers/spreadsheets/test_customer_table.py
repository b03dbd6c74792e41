"""The spreadsheet of customers: with groups and addresses, without passwords and erased customers."""

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType

from customers.models import Customer, CustomerAddress
from kit.domain.actor import SYSTEM
from kit.errors import Forbidden
from kit.spreadsheets.applying import apply, confirm
from kit.values.timestamps import now
from staff.actors import staff_actor
from tests.catalog.spreadsheets.importing import (
    applied,
    exported,
    exported_by,
    lines,
    previewed,
    spreadsheet,
    undo_file,
)
from tests.factories.customers import AddressFactory, CustomerFactory, CustomerGroupFactory
from tests.factories.staff import UserFactory

pytestmark = pytest.mark.django_db
IMPORTING = (
    *("customers.add_customer", "customers.change_customer"),
    *("customers.add_customeraddress", "customers.change_customeraddress"),
)
EXPORTING = ("customers.view_customer", "customers.view_customeraddress", "customers.export_customer")


@pytest.fixture
def ann() -> Customer:
    """She has an account, two addresses, and is in a group whose name begins like a formula."""
    made = CustomerFactory(email="ann@example.com", phone="+1 555", company_name="@Home")
    AddressFactory(customer=made, address_name="Home", address_1="1 Elm Street", is_default_shipping=True)
    AddressFactory(customer=made, address_name="Work", address_1="'s-Gravenweg 2")
    made.groups.add(CustomerGroupFactory(name="=VIP"))
    return made


def moments() -> set[Any]:
    rows = (*Customer.objects.all(), *CustomerAddress.objects.all())
    return {(row.pk, row.updated_at) for row in rows}


def test_the_export_comes_back_without_changing_a_row(ann: Customer) -> None:
    CustomerFactory(email="ann@example.com", has_account=False, first_name="Guest", last_name=None)
    CustomerFactory(email=None, has_account=False, erased_at=now())
    CustomerFactory(email="gone@example.com", deleted_at=now())
    stored = moments()
    text = exported("customers")

    rows = spreadsheet(text)
    assert [(row["Email"], row["Has Account"], row["Address Name"]) for row in rows] == [
        ("ann@example.com", "true", "Home"),
        ("ann@example.com", "true", "Work"),
        ("ann@example.com", "false", ""),
    ]
    own = {name: rows[0][name] for name in ("First Name", "Phone", "Company Name", "Group 1", "Address 1")}
    assert own == {
        "First Name": "Ann",
        "Phone": "'+1 555",
        "Company Name": "'@Home",
        "Group 1": "'=VIP",
        "Address 1": "1 Elm Street",
    }
    assert (rows[1]["First Name"], rows[1]["Address 1"]) == ("", "''s-Gravenweg 2")
    assert "password" not in text.lower()
    one = applied(text, spreadsheet="customers")
    assert (one.problems, one.done) == ([], {"unchanged": 2})
    assert moments() == stored
    assert exported("customers") == text


def test_customers_groups_and_addresses_change_and_come_back(ann: Customer) -> None:
    CustomerGroupFactory(name="Trade")
    first, home = exported("customers"), ann.addresses.get(address_name="Home")

    one = applied(
        lines(
            "Email,Has Account,Phone,Group 1,Address Id,Address City,Address Is Default Shipping,Address Country Code",
            f"ANN@example.com,yes,0123,Trade,{home.pk},Boston,,",
            "ANN@example.com,yes,,,,Bergen,true,NO",
        ),
        spreadsheet="customers",
    )

    assert one.done == {"changed": 1}
    ann.refresh_from_db()
    assert (ann.phone, ann.first_name, [group.name for group in ann.groups.all()]) == ("0123", "Ann", ["Trade"])
    addresses = ann.addresses.order_by("pk").values_list("address_name", "city", "country_code", "is_default_shipping")
    assert [*addresses] == [
        ("Home", "Boston", None, False),
        ("Work", "New York", "us", False),
        (None, "Bergen", "no", True),
    ]
    added = ann.addresses.get(city="Bergen")
    assert [*one.results.values_list("action", "about", "label", "is_addition")] == [
        ("changed", ann.pk, "ann@example.com", False),
        ("new", added.pk, "Address: Bergen, Norway", True),
    ]
    assert applied(undo_file(one), spreadsheet="customers").done == {"changed": 1}
    added.delete()
    assert exported("customers") == first


def test_new_customers_are_guests() -> None:
    one = applied(
        lines(
            "First Name,Email,Default Address Address1,Default Address City,Default Address Country Code,Note",
            "Bo,bo@example.com,1 Road,Oslo,NO,-",
            ",cy@example.com,,,,",
        ),
        spreadsheet="customers",
    )

    assert one.done == {"new": 2}
    bo, cy = Customer.objects.order_by("email")
    assert (bo.first_name, bo.has_account, bo.note, cy.email, cy.first_name) == (
        "Bo",
        False,
        "-",
        "cy@example.com",
        None,
    )
    assert [*bo.addresses.values_list("address_1", "city", "country_code")] == [("1 Road", "Oslo", "no")]
    assert not cy.addresses.exists()
    again = lines("Email,Address 1,Address City", "bo@example.com,1 Road,Oslo")
    assert applied(again, spreadsheet="customers").done == {"unchanged": 1}


def test_who_changed_since_the_preview_is_left(ann: Customer) -> None:
    one = previewed(lines("Email,Phone", "ann@example.com,0123"), spreadsheet="customers")
    ann.groups.clear()
    confirm(one)
    apply(one, actor=SYSTEM)

    assert one.done == {"skipped": 1}
    ann.refresh_from_db()
    assert ann.phone == "+1 555"


def test_problems_name_row_and_column(ann: Customer) -> None:
    erased = CustomerFactory(email=None, has_account=False, erased_at=now())
    one = previewed(
        lines(
            "Id,Email,Has Account,First Name,Group 1,Address Id,Address Country Code,Address Province",
            f"{erased.pk},,,A,,,",
            f"{ann.pk},new@example.com,,A,,,",
            f"{ann.pk},,,B,,cuaddr_1,",
            ",no address,,A,,,",
            ",,,A,,,",
            ",x@example.com,true,A,,,",
            ",y@example.com,,A,Nobody,,",
            ",z@example.com,false,A,,,Atlantis,",
            ",zz@example.com,false,A,,,us,us-zz",
        ),
        spreadsheet="customers",
    )

    assert one.counts == {"problem": 8, "rows": 9}
    assert one.problems == [
        [2, "Id", "No customer has this id. To add a customer, leave the cell empty."],
        [3, "Email", "The customer signs in with another email address. An import cannot change it."],
        [4, "First Name", "Row 3 of this customer has another value. Enter the same one, or leave this cell empty."],
        [4, "Address Id", "This customer has no address with this id. To add an address, leave the cell empty."],
        [5, "Email", "Value for field 'email' is not an email address"],
        [6, "Email", "Enter an email address."],
        [
            7,
            "Email",
            (
                "No account has this email address, and only customers can open one. "
                "To add a guest, enter false in Has Account."
            ),
        ],
        [8, "Group 1", "No customer group has this name or id."],
        [9, "Address Country Code", "'Atlantis' is not the code of a country. Enter two letters, like gb."],
        [10, "Address Province", "'us-zz' of field 'province' is not an ISO 3166-2 province of 'us'"],
    ]


def test_exports_need_a_permission_of_their_own_and_stand_in_the_history(ann: Customer) -> None:
    for missing in EXPORTING:
        actor = staff_actor(UserFactory(permissions={*EXPORTING} - {missing}))
        with pytest.raises(Forbidden):
            exported_by(actor, "customers")
    assert not LogEntry.objects.exists()
    user = UserFactory(permissions=EXPORTING)

    exported_by(staff_actor(user), "customers")

    entry = LogEntry.objects.get()
    assert (entry.user, entry.object_repr, entry.change_message) == (user, "Customers", "Exported 2 rows")
    assert entry.content_type == ContentType.objects.get_for_model(Customer)


def test_an_undo_file_needs_the_export_permissions(ann: Customer) -> None:
    one = applied(lines("Email,Phone", "ann@example.com,0123"), spreadsheet="customers")
    importer = staff_actor(UserFactory(permissions=IMPORTING))
    with pytest.raises(Forbidden):
        undo_file(one, actor=importer)
    assert "+1 555" in undo_file(one, actor=staff_actor(UserFactory(permissions=(*IMPORTING, *EXPORTING))))
    assert LogEntry.objects.get().change_message == f"Exported what import {one.pk} has changed"
