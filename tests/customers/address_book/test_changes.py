"""Addresses that a customer adds and changes: the answers, and that there is one default of each kind."""

from typing import Any

import pytest

from customers.models import Customer, CustomerAddress
from tests.contract.callers import Caller, refusal
from tests.customers.address_book.contents import FLAGS, LINES, PATH, STOREFRONT, defaults, rows
from tests.factories.customers import AddressFactory

pytestmark = pytest.mark.django_db


class TestAdding:
    def test_the_answer_is_the_customer_with_all_addresses(
        self, caller: Caller, eve: Customer, home: CustomerAddress
    ) -> None:
        answer = caller.post(PATH, {**STOREFRONT, "metadata": {"floor": 3}})
        assert (answer.status_code, list(answer.json())) == (200, ["customer"])
        shown = answer.json()["customer"]
        assert (shown["id"], len(shown["addresses"])) == (eve.pk, 2)
        first, added = shown["addresses"]
        assert first["id"] == home.pk
        assert added.pop("id").startswith("cuaddr_")
        assert added.pop("updated_at") >= added.pop("created_at")
        assert added == {
            **STOREFRONT,
            "address_name": None,
            "province": "us-ny",
            "country_code": "us",
            "customer_id": eve.pk,
            "metadata": {"floor": 3},
        }

    def test_everything_may_be_left_out(self, caller: Caller) -> None:
        (added,) = caller.post(PATH, {}).json()["customer"]["addresses"]
        assert {added[name] for name in (*LINES, "metadata")} == {None}
        assert (added["is_default_shipping"], added["is_default_billing"]) == (False, False)

    def test_a_new_default_takes_the_place_of_the_old_one(self, caller: Caller, eve: Customer) -> None:
        both = caller.post(PATH, dict.fromkeys(FLAGS, True)).json()["customer"]
        assert both["default_shipping_address_id"] == both["default_billing_address_id"] == both["addresses"][0]["id"]
        answer = caller.post(PATH, {"is_default_billing": True}).json()["customer"]
        first, second = answer["addresses"]
        assert [first[flag] for flag in FLAGS] == [True, False]
        assert [second[flag] for flag in FLAGS] == [False, True]
        assert answer["default_shipping_address_id"] == first["id"]
        assert answer["default_billing_address_id"] == second["id"]


class TestChanging:
    def test_the_answer_is_the_customer_as_they_now_are(
        self, caller: Caller, eve: Customer, home: CustomerAddress
    ) -> None:
        answer = caller.post(f"{PATH}/{home.pk}", {"first_name": "Zed", "phone": "999", "city": None})
        shown = answer.json()["customer"]
        assert (answer.status_code, list(answer.json())) == (200, ["customer"])
        assert list(shown) == [
            *("id", "email", "default_billing_address_id", "default_shipping_address_id", "company_name"),
            *("first_name", "last_name", "phone", "has_account", "metadata", "created_at", "updated_at"),
            *("deleted_at", "addresses"),
        ]
        (address,) = shown["addresses"]
        assert (address["first_name"], address["phone"], address["city"]) == ("Zed", "999", None)
        assert (address["last_name"], address["address_name"]) == ("Lee", "Home")
        assert shown["first_name"] == "Eve"

    def test_nothing_new_changes_nothing(self, caller: Caller, home: CustomerAddress) -> None:
        before = rows()
        for body in ({}, {"city": "New York"}, {"province": "New York"}, {"is_default_billing": False}, b""):
            assert caller.post(f"{PATH}/{home.pk}", body).status_code == 200
        assert rows() == before

    @pytest.mark.parametrize(
        ("given", "kept"),
        [({"b": 2}, {"a": 1, "b": 2}), ({"a": ""}, {}), ({"a": None}, {"a": None}), ({}, {}), (None, None)],
    )
    def test_metadata_is_merged(self, caller: Caller, home: CustomerAddress, given: Any, kept: Any) -> None:
        answer = caller.post(f"{PATH}/{home.pk}", {"metadata": given})
        assert answer.json()["customer"]["addresses"][0]["metadata"] == kept

    def test_false_takes_a_flag_from_this_address_alone(self, caller: Caller, eve: Customer) -> None:
        first = AddressFactory(customer=eve, is_default_shipping=True)
        second = AddressFactory(customer=eve, is_default_billing=True)
        caller.post(f"{PATH}/{first.pk}", {"is_default_billing": False})
        assert defaults(eve) == [[first.pk], [second.pk]]
        caller.post(f"{PATH}/{first.pk}", {"is_default_shipping": False})
        assert defaults(eve) == [[], [second.pk]]

    def test_a_default_moves_and_marks_both_as_updated(self, caller: Caller, eve: Customer) -> None:
        old = AddressFactory(customer=eve, is_default_shipping=True)
        new, third = AddressFactory.create_batch(2, customer=eve)
        caller.post(f"{PATH}/{new.pk}", {"is_default_shipping": True})
        assert defaults(eve) == [[new.pk], []]
        updated = dict(CustomerAddress.objects.values_list("pk", "updated_at"))
        assert updated[old.pk] > old.updated_at
        assert updated[third.pk] == third.updated_at

    def test_another_customers_defaults_stay(self, caller: Caller, eve: Customer, theirs: CustomerAddress) -> None:
        caller.post(f"{PATH}/{AddressFactory(customer=eve).pk}", dict.fromkeys(FLAGS, True))
        assert defaults(theirs.customer) == [[theirs.pk], [theirs.pk]]

    def test_fields_choose_among_the_customers_scalars_and_addresses(
        self, caller: Caller, home: CustomerAddress
    ) -> None:
        answer = caller.post(f"{PATH}/{home.pk}", {}, query="fields=email,addresses.city")
        assert answer.json() == {
            "customer": {
                "id": home.customer_id,
                "email": "eve@example.com",
                "addresses": [{"id": home.pk, "city": "New York"}],
            }
        }
        assert (
            list(caller.post(f"{PATH}/{home.pk}", {}, query="fields=-addresses").json()["customer"])[-1] == "deleted_at"
        )

    @pytest.mark.parametrize("field", ["orders", "*orders", "orders.id", "groups", "addresses.customer", "password"])
    def test_other_fields_are_refused_and_nothing_changes(
        self, caller: Caller, home: CustomerAddress, field: str
    ) -> None:
        before = rows()
        answer = caller.post(f"{PATH}/{home.pk}", {"city": "Ulm"}, query=f"fields={field}")
        assert refusal(answer) == (400, f"Requested fields [{field.removeprefix('*')}] are not valid")
        assert rows() == before
