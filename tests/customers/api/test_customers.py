"""Customers below /admin, as the official SDK calls them."""

import pytest

from auth.models import AuthIdentity
from customers.models import Customer, CustomerAddress, CustomerGroup
from tests.contract.callers import Caller, importer, refusal
from tests.contract.conftest import admin
from tests.factories.apikeys import secret_key
from tests.factories.customers import AddressFactory, CustomerFactory, token_of
from tests.factories.staff import UserFactory
from tests.kit.graphql.calls import ask, data

pytestmark = pytest.mark.django_db

__all__ = ["admin"]

SHOWN = {
    *("id", "email", "has_account", "company_name", "first_name", "last_name", "phone", "tax_number", "note"),
    *("is_tax_exempt", "tax_exempt_countries", "tax_exempt_until", "metadata", "addresses"),
    *("default_billing_address_id", "default_shipping_address_id", "created_at", "updated_at", "deleted_at"),
}
PATH = "/admin/customers"


def one(row: Customer) -> str:
    return f"{PATH}/{row.pk}"


def ids(response: object) -> list[str]:
    return [each["id"] for each in response.json()["customers"]]  # type: ignore[attr-defined]


def test_a_new_one_is_a_guest(admin: Caller) -> None:
    made = admin.post(PATH, {"email": "Ann@Example.com", "first_name": "Ann", "metadata": {"erp": 7}}).json()
    customer = made["customer"]
    assert customer.keys() == SHOWN
    assert (customer["email"], customer["has_account"], customer["addresses"]) == ("ann@example.com", False, [])
    assert not AuthIdentity.objects.exists()
    again = admin.post(PATH, {"email": "ann@example.com"})
    assert (again.status_code, again.json()["type"]) == (422, "duplicate_error")
    for body, field in (
        ({}, "email"),
        ({"email": "ann"}, "email"),
        ({"email": "b@example.com", "has_account": True}, "has_account"),
        ({"email": "b@example.com", "first_name": "A\nB"}, "first_name"),
        ({"email": "b@example.com", "tax_exempt_countries": ["zz"]}, "tax_exempt_countries"),
        ({"email": "b@example.com", "groups": ["cusgroup_none"]}, "groups"),
    ):
        status, message = refusal(admin.post(PATH, body))
        assert (status, field in message) == (400, True), message
    assert Customer.objects.get().metadata == {"erp": 7}


def test_the_email_of_an_account_stays_whatever_else_changes(admin: Caller) -> None:
    ann = CustomerFactory(email="ann@example.com", metadata={"a": 1})
    body = {"email": "ANN@example.com", "company_name": "Lee & Co", "tax_exempt_countries": ["FR", "de"]}
    changed = admin.post(one(ann), {**body, "is_tax_exempt": True, "metadata": {"b": 2}}).json()["customer"]
    assert (changed["email"], changed["company_name"]) == ("ann@example.com", "Lee & Co")
    assert (changed["tax_exempt_countries"], changed["metadata"]) == (["de", "fr"], {"a": 1, "b": 2})
    status, message = refusal(admin.post(one(ann), {"email": "lee@example.com", "phone": "1"}))
    assert (status, message) == (400, "The email of a customer with an account cannot be changed")
    guest = CustomerFactory(has_account=False)
    assert admin.post(one(guest), {"email": "lee@example.com"}).json()["customer"]["email"] == "lee@example.com"
    ann.refresh_from_db()
    assert (ann.email, ann.phone) == ("ann@example.com", None)


def test_a_batch_is_written_whole_or_not_at_all(admin: Caller) -> None:
    kept, gone = CustomerFactory(email="kept@example.com"), CustomerFactory()
    new = [{"email": "a@example.com"}, {"email": "b@example.com", "is_tax_exempt": True}]
    change = {"id": kept.pk, "email": "Kept@example.com", "phone": "1"}
    body = {"create": new, "update": [change], "delete": [gone.pk]}
    wrong = {**body, "update": [{**change, "email": "other@example.com"}]}
    status, message = refusal(admin.post(f"{PATH}/batch", wrong))
    assert (status, message.startswith("update[0].email: ")) == (400, True), message
    assert Customer.objects.not_deleted().count() == 2
    done = admin.post(f"{PATH}/batch", body).json()
    assert [each["email"] for each in done["created"]] == ["a@example.com", "b@example.com"]
    assert [each["phone"] for each in done["updated"]] == ["1"]
    assert done["deleted"]["ids"] == [gone.pk]
    assert set(Customer.objects.not_deleted().values_list("email", flat=True)) == {
        *("kept@example.com", "a@example.com", "b@example.com")
    }


def test_nothing_of_a_login_is_ever_shown(admin: Caller) -> None:
    ann = CustomerFactory()
    secrets = (AuthIdentity.objects.get().password, token_of(ann))
    everything = admin.get(f"{one(ann)}?fields=*,groups.customers.addresses.id").content.decode()
    assert not any(secret in everything for secret in secrets)
    for name in ("password", "identity", "token", "erased_at", "document"):
        assert refusal(admin.get(f"{one(ann)}?fields={name}"))[0] == 400


def test_a_deleted_one_is_signed_out_and_takes_the_addresses_along(admin: Caller) -> None:
    ann, other = CustomerFactory(email="ann@example.com"), AddressFactory()
    address = AddressFactory(customer=ann)
    assert admin.send("DELETE", one(ann)).json() == {"id": ann.pk, "object": "customer", "deleted": True}
    assert refusal(admin.get(one(ann))) == (404, f"Customer with id: {ann.pk} was not found")
    assert refusal(admin.send("DELETE", one(ann)))[0] == 404
    ann.refresh_from_db()
    address.refresh_from_db()
    assert ann.deleted_at == address.deleted_at is not None
    assert [each.customer_id for each in AuthIdentity.objects.all()] == [other.customer_id]
    assert CustomerAddress.objects.not_deleted().get() == other
    assert admin.post(PATH, {"email": "ann@example.com"}).status_code == 200


def test_groups_are_added_and_removed(admin: Caller) -> None:
    ann = CustomerFactory()
    first, second, gone = (CustomerGroup.objects.create(name=name) for name in ("Old", "New", "Gone"))
    ann.groups.add(first)
    path = f"{one(ann)}/customer-groups"
    changed = admin.post(f"{path}?fields=*groups", {"add": [second.pk], "remove": [first.pk]}).json()["customer"]
    assert [each["name"] for each in changed["groups"]] == ["New"]
    assert admin.post(path, {"add": [second.pk]}).json()["customer"].keys() == SHOWN
    admin.send("DELETE", f"/admin/customer-groups/{gone.pk}")
    for unknown in (gone.pk, "cusgroup_none"):
        status, message = refusal(admin.post(path, {"add": [first.pk, unknown]}))
        assert (status, unknown in message) == (400, True)
    assert refusal(admin.post(f"{PATH}/cus_none/customer-groups", {"add": [first.pk]}))[0] == 404
    assert list(ann.groups.all()) == [second]


def test_lists_are_filtered_as_the_sdk_does(admin: Caller) -> None:
    group = CustomerGroup.objects.create(name="Trade")
    ann = CustomerFactory(email="ann@example.com", company_name="Lee & Sons")
    bob = CustomerFactory(email="bob@example.com", first_name="Bob", has_account=False)
    ann.groups.add(group)
    for query, expected in (
        (f"groups={group.pk}", [ann]),
        (f"groups[]={group.pk}&groups[]=cusgroup_none", [ann]),
        ("has_account=false", [bob]),
        ("email=ANN@example.com", [ann]),
        ("q=lee sons", [ann]),
        ("company_name=null", [bob]),
        ("$or[0][first_name]=Bob&$or[1][email]=ann@example.com&order=-created_at", [bob, ann]),
    ):
        assert ids(admin.get(PATH, query)) == [row.pk for row in expected], query
    listed = admin.get(PATH, "limit=1&offset=1").json()
    assert (listed["count"], listed["limit"], listed["offset"], len(listed["customers"])) == (2, 1, 1, 1)


def test_groups_show_to_those_who_may_see_them() -> None:
    ann = CustomerFactory()
    ann.groups.add(CustomerGroup.objects.create(name="Trade"))
    boss = UserFactory(is_superuser=True)
    limited = importer(secret_key(boss, permissions=["customers.view_customer"]))
    shown = limited.get(f"{one(ann)}?fields=email,*groups").json()["customer"]
    assert (shown["email"], shown["groups"]) == (ann.email, [])
    assert ids(limited.get(PATH, f"groups={ann.groups.get().pk}")) == []


def test_graphql_writes_them_too(admin: Caller) -> None:
    made = data(ask(admin, 'mutation { adminCreateCustomer(input: {email: "ann@example.com"}) { customer { id } } }'))
    key = made["adminCreateCustomer"]["customer"]["id"]
    group = CustomerGroup.objects.create(name="Trade")
    changed = data(
        ask(
            admin,
            f'mutation {{ adminUpdateCustomerGroups(id: "{key}", input: {{add: ["{group.pk}"]}}) '
            "{ customer { groups { name } } } }",
        )
    )
    assert changed["adminUpdateCustomerGroups"]["customer"]["groups"] == [{"name": "Trade"}]
    data(ask(admin, f'mutation {{ adminDeleteCustomer(id: "{key}") {{ deleted }} }}'))
    assert data(ask(admin, "{ adminCustomers { count } }")) == {"adminCustomers": {"count": 0}}


def test_a_taken_email_is_named(admin: Caller) -> None:
    admin.post("/admin/customers", {"email": "mara@x.example"})
    refused = admin.post("/admin/customers", {"email": "mara@x.example"})
    assert refused.json()["message"] == "Customer with email: mara@x.example already exists"


def test_a_writer_who_may_not_view_is_shown_no_others_of_the_kind() -> None:
    group = CustomerGroup.objects.create(name="Friends")
    CustomerFactory().groups.add(group)
    permissions = ["customers.add_customer", "customers.view_customergroup"]
    writer = importer(secret_key(UserFactory(permissions=permissions)))
    body = {"email": "new@x.example", "groups": [group.pk]}
    made = writer.post(f"{PATH}?fields=email,groups.name,groups.customers.email", body).json()["customer"]
    assert made["email"] == "new@x.example"
    assert made["groups"] == [{"id": group.pk, "name": "Friends", "customers": []}]
