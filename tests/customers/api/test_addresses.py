"""The addresses of customers below /admin."""

import pytest

from customers.models import Customer, CustomerAddress
from tests.contract.callers import Caller, importer, refusal
from tests.contract.conftest import admin
from tests.factories.apikeys import secret_key
from tests.factories.customers import AddressFactory, CustomerFactory
from tests.factories.staff import UserFactory
from tests.kit.graphql.calls import ask, data

pytestmark = pytest.mark.django_db

__all__ = ["admin"]


def path(customer: Customer, address: CustomerAddress | None = None) -> str:
    return f"/admin/customers/{customer.pk}/addresses{'' if address is None else f'/{address.pk}'}"


def test_one_is_added_changed_and_deleted(admin: Caller) -> None:
    ann = CustomerFactory()
    old = AddressFactory(customer=ann, is_default_shipping=True, metadata={"a": 1})
    body = {"city": "Ulm", "country_code": "DE", "is_default_shipping": True, "address_name": "Office"}
    customer = admin.post(path(ann), body).json()["customer"]
    new = CustomerAddress.objects.get(city="Ulm")
    assert (customer["id"], customer["default_shipping_address_id"]) == (ann.pk, new.pk)
    assert [each["id"] for each in customer["addresses"]] == [old.pk, new.pk]
    assert (new.country_code, new.address_name) == ("de", "Office")
    read = admin.get(path(ann, old)).json()["address"]
    assert read == {**read, "id": old.pk, "customer_id": ann.pk, "is_default_shipping": False, "metadata": {"a": 1}}
    changed = admin.post(path(ann, old), {"province": "ca", "is_default_billing": True, "metadata": {"b": 2}})
    assert changed.json()["customer"]["default_billing_address_id"] == old.pk
    old.refresh_from_db()
    assert (old.province, old.metadata) == ("us-ca", {"a": 1, "b": 2})
    gone = admin.send("DELETE", path(ann, new)).json()
    assert {name: gone[name] for name in ("id", "object", "deleted")} == {
        "id": new.pk,
        "object": "address",
        "deleted": True,
    }
    assert [each["id"] for each in gone["customer"]["addresses"]] == [old.pk]
    assert not CustomerAddress.objects.filter(pk=new.pk).exists()


def test_lists_have_those_of_one_customer(admin: Caller) -> None:
    ann, _ = CustomerFactory(), AddressFactory()
    rows = [AddressFactory(customer=ann, city=city) for city in ("Ulm", "Bonn", "Ulm")]
    listed = admin.get(path(ann)).json()
    assert (listed["count"], [each["id"] for each in listed["addresses"]]) == (3, [row.pk for row in rows])
    assert admin.get(path(ann), "city=Ulm&limit=1").json()["count"] == 2


def test_the_path_names_both(admin: Caller) -> None:
    ann, other = CustomerFactory(), AddressFactory()
    for method, body in (("GET", b""), ("POST", b'{"city": "Ulm"}'), ("DELETE", b"")):
        status, message = refusal(admin.send(method, path(ann, other), body))
        assert (status, message) == (404, f"Address with id: {other.pk} was not found")
    for method, body in (("GET", b""), ("POST", b'{"city": "Ulm"}')):
        status, message = refusal(admin.send(method, "/admin/customers/cus_none/addresses", body))
        assert (status, message) == (404, "Customer with id: cus_none was not found")
    assert refusal(admin.post(path(ann), {"customer_id": other.customer_id}))[0] == 400
    assert [row.city for row in CustomerAddress.objects.all()] == [other.city]


def test_bad_values_change_nothing(admin: Caller) -> None:
    row = AddressFactory()
    for body, field in (({"country_code": "zz"}, "country_code"), ({"city": "Ulm\n"}, "city"), ({"zip": "1"}, "zip")):
        for where in (path(row.customer), path(row.customer, row)):
            status, message = refusal(admin.post(where, {"phone": "1", **body}))
            assert (status, field in message) == (400, True), message
    assert list(CustomerAddress.objects.values_list("pk", "phone")) == [(row.pk, None)]


def test_if_match_is_about_the_address(admin: Caller) -> None:
    row = AddressFactory()
    tag = admin.get(path(row.customer, row))["ETag"]
    answer = admin.send("POST", f"{path(row.customer, row)}?fields=id", b'{"city": "Ulm"}', if_match=tag)
    assert answer.json()["customer"] == {"id": row.customer_id}
    assert admin.send("DELETE", path(row.customer, row), b"", if_match=tag).status_code == 409


def test_each_act_needs_its_own_permission() -> None:
    row, boss = AddressFactory(), UserFactory(is_superuser=True)
    for method, where, permission in (
        ("GET", path(row.customer), "customers.view_customer"),
        ("GET", path(row.customer, row), "customers.view_customer"),
        ("POST", path(row.customer), "customers.add_customeraddress"),
        ("POST", path(row.customer, row), "customers.change_customeraddress"),
        ("DELETE", path(row.customer, row), "customers.delete_customeraddress"),
    ):
        body = b'{"city": "Ulm"}' if method == "POST" else b""
        wrong = importer(secret_key(boss, permissions=["customers.change_customer"]))
        assert wrong.send(method, where, body).status_code == 403
        right = importer(secret_key(boss, permissions=[permission]))
        assert right.send(method, where, body).status_code == 200


def test_graphql_answers_with_the_address(admin: Caller) -> None:
    ann = CustomerFactory()
    body = f'{{customerId: "{ann.pk}", city: "Ulm"}}'
    made = data(ask(admin, f"mutation {{ adminCreateAddress(input: {body}) {{ address {{ id customerId }} }} }}"))
    address = made["adminCreateAddress"]["address"]
    assert address["customerId"] == ann.pk
    change = (
        f'mutation {{ adminUpdateAddress(id: "{address["id"]}", input: {{city: "Bonn"}}) {{ address {{ city }} }} }}'
    )
    assert data(ask(admin, change))["adminUpdateAddress"] == {"address": {"city": "Bonn"}}
