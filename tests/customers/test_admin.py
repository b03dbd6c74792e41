"""The screens of customers, as staff use them."""

from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from auth.models import AuthIdentity
from customers.models import Customer, CustomerAddress, CustomerGroup
from kit.admin.forms.metadata_field import MetadataField
from kit.messages.mails.models import Mail
from kit.messages.mails.sending import send_due
from tests.factories.customers import AddressFactory, CustomerFactory
from tests.kit.admin.forms import save
from tests.kit.admin.visits import history, reported, superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db]
LIST = "/admin/customers/customer/"


def page(customer: Customer) -> str:
    return reverse("admin:customers_customer_change", args=[customer.pk])


def form(**given: Any) -> dict[str, Any]:
    """A filled-in form; addresses as `addresses-0-city`."""
    total = 1 + max((int(name.split("-")[1]) for name in given if name.startswith("addresses-")), default=-1)
    stored = sum(name.endswith("-id") for name in given)
    management = {"addresses-TOTAL_FORMS": total, "addresses-INITIAL_FORMS": stored}
    return {**management, "first_name": "", "last_name": "", "company_name": "", "phone": "", "metadata": "", **given}


def address(number: int, row: CustomerAddress | None = None, **given: Any) -> dict[str, Any]:
    stored = {} if row is None else {"id": row.pk}
    return {f"addresses-{number}-{name}": value for name, value in {**stored, **given}.items()}


def errors(answer: Any) -> dict[str, Any]:
    assert answer.status_code == 200
    below = [form.errors for inline in answer.context["inline_admin_formsets"] for form in inline.formset.forms]
    return {
        **answer.context["adminform"].form.errors,
        **{name: errors for each in below for name, errors in each.items()},
    }


@pytest.fixture
def client() -> Client:
    return superuser()


def test_whom_staff_add_is_a_guest(client: Client) -> None:
    answer = client.post(f"{LIST}add/", form(email="Ann@Example.com", first_name="Ann", metadata='{"a": 1}'))
    assert answer.status_code == 302
    ann = Customer.objects.get()
    assert (ann.email, ann.has_account, ann.metadata, ann.last_name) == ("ann@example.com", False, {"a": 1}, None)
    assert not AuthIdentity.objects.exists()
    assert errors(client.post(f"{LIST}add/", form(email="ANN@example.com")))["email"]


@pytest.mark.parametrize(
    ("field", "value"),
    [("email", "ann"), ("email", ""), ("first_name", "e" * 256), ("phone", "\x1b"), ("metadata", "[]")],
)
def test_bad_details_are_reported_at_their_field(client: Client, field: str, value: str) -> None:
    assert field in errors(client.post(f"{LIST}add/", form(**{"email": "ann@example.com", field: value})))
    assert not Customer.objects.exists()


@pytest.mark.parametrize("metadata", ['{"a": "\\ud800"}', '{"a": %s}' % ("9" * 5000), "{"])
def test_refused_metadata_is_shown_again_as_it_was_typed(client: Client, metadata: str) -> None:
    answer = client.post(f"{LIST}add/", form(email="ann@example.com", metadata=metadata))
    assert list(errors(answer)) == ["metadata"]
    assert answer.context["adminform"].form["metadata"].value() == metadata
    assert not Customer.objects.exists()


def test_half_a_surrogate_pair_is_shown_as_its_escape() -> None:
    assert MetadataField().bound_data('{"a": "\ud800"}', None) == '{"a": "\\ud800"}'


@pytest.mark.parametrize(("claimed", "is_taken"), [("150", True), ("151", False), ("99999999", False)])
def test_a_page_takes_so_many_rows_and_makes_none_of_more(client: Client, claimed: str, is_taken: bool) -> None:
    given = {**form(email="ann@example.com"), "addresses-TOTAL_FORMS": claimed}
    answer = client.post(f"{LIST}add/", given)
    assert Customer.objects.exists() is is_taken
    if not is_taken:
        (table,) = answer.context["inline_admin_formsets"]
        expected = ["At most 150 rows can be submitted at once. Reload the page."]
        assert (table.formset.non_form_errors(), table.formset.forms) == (expected, [])


def test_the_email_of_an_account_stays(client: Client) -> None:
    eve = CustomerFactory(email="eve@example.com")
    assert save(client, page(eve), form(email="other@example.com", first_name="Zed")).status_code == 302
    eve.refresh_from_db()
    assert (eve.email, eve.first_name) == ("eve@example.com", "Zed")


def test_addresses_are_written_in_the_spelling_of_the_verbs(client: Client) -> None:
    eve = CustomerFactory()
    home = AddressFactory(customer=eve, is_default_shipping=True)
    new = address(1, city="Ulm", country_code="DE", province="Bayern", is_default_shipping="on")
    answer = save(client, page(eve), form(**address(0, home, city="Bonn", country_code="de"), **new))
    assert answer.status_code == 302, errors(answer)
    home, added = eve.addresses.order_by("pk")
    assert (home.city, home.country_code, home.province, home.is_default_shipping) == ("Bonn", "de", None, False)
    assert (added.country_code, added.province, added.is_default_shipping) == ("de", "de-by", True)


def test_a_default_is_taken_over_whatever_the_order_of_the_rows(client: Client) -> None:
    eve = CustomerFactory()
    first, second = AddressFactory.create_batch(2, customer=eve)
    for holder, other in ((second, first), (first, second)):
        rows = [address(number, row, **({"is_default_billing": "on"} if row == holder else {}))
                for number, row in enumerate((first, second))]  # fmt: skip
        assert save(client, page(eve), form(**rows[0], **rows[1])).status_code == 302
        assert list(eve.addresses.filter(is_default_billing=True)) == [holder] != [other]


def test_two_defaults_of_one_kind_are_refused(client: Client) -> None:
    eve = CustomerFactory()
    both = {**address(0, is_default_billing="on"), **address(1, is_default_billing="on")}
    assert errors(client.post(page(eve), form(**both)))["is_default_billing"] == [
        "Another address is already the default."
    ]
    assert not eve.addresses.exists()


def test_an_unknown_country_is_reported_at_its_field(client: Client) -> None:
    eve = CustomerFactory()
    assert "country_code" in errors(client.post(page(eve), form(**address(0, country_code="zz"))))


def test_a_ticked_address_goes_for_good(client: Client) -> None:
    home = AddressFactory()
    assert save(client, page(home.customer), form(**address(0, home, DELETE="on"))).status_code == 302
    assert not CustomerAddress.objects.exists()


def test_deletion_ends_the_sign_in(client: Client) -> None:
    eve = CustomerFactory(email="eve@example.com")
    assert client.post(f"{LIST}{eve.pk}/delete/", {"post": "yes"}).status_code == 302
    eve.refresh_from_db()
    assert eve.deleted_at is not None
    assert not AuthIdentity.objects.exists()
    assert history() == [("eve@example.com", 3)]
    assert client.get(page(eve)).status_code == 200


def test_nobody_edits_passwords_but_a_mail_can_be_sent(client: Client) -> None:
    eve = CustomerFactory(email="eve@example.com")
    guest = CustomerFactory(email="guest@example.com", has_account=False)
    assert b'name="password' not in client.get(page(eve)).content
    action = {"action": "send_password_mails", "_selected_action": [eve.pk, guest.pk]}
    assert b"Send these emails?" in client.post(LIST, action).content
    answer = client.post(LIST, {**action, "post": "yes"})
    assert reported(answer) == ["1 customer mailed.", "guest@example.com: The customer has no account"]
    assert Mail.objects.get().request_id == answer["X-Request-Id"]
    send_due()
    assert [letter.to for letter in mail.outbox] == [["eve@example.com"]]


def test_permissions_decide() -> None:
    eve = CustomerFactory()
    viewer = visitor("customers.view_customer")
    assert viewer.get(page(eve)).status_code == 200
    assert viewer.post(page(eve), form(first_name="Zed")).status_code == 403
    assert visitor("customers.view_customergroup").get(page(eve)).status_code == 403
    eve.refresh_from_db()
    assert eve.first_name == "Ann"


def test_groups_hold_customers(client: Client) -> None:
    assert client.post("/admin/customers/customergroup/add/", {"name": "Cafés", "metadata": ""}).status_code == 302
    group, eve = CustomerGroup.objects.get(), CustomerFactory()
    assert save(client, page(eve), form(groups=[group.pk])).status_code == 302
    assert list(eve.groups.all()) == [group]
    (row,) = client.get("/admin/customers/customergroup/").context["cl"].result_list
    assert row.members == 1
    assert client.get(f"{LIST}?groups__id__exact={group.pk}").context["cl"].result_count == 1


def test_staff_keep_notes_of_several_lines() -> None:
    customer, client = CustomerFactory(), superuser()
    text = "Calls on Mondays.\r\nPrefers the shop."
    assert save(client, page(customer), form(email=customer.email, note=text)).status_code == 302
    customer.refresh_from_db()
    assert customer.note == text
    assert list(errors(save(client, page(customer), form(email=customer.email, note="x" * 5001)))) == ["note"]
