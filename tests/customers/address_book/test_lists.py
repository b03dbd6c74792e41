"""A customer's addresses, removed and listed by signed-in customers; their maximum number, and their cost."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from customers.models import Customer, CustomerAddress
from tests.contract.callers import Caller, refusal
from tests.customers.address_book.contents import FLAGS, PATH, rows
from tests.customers.conftest import signed_in
from tests.factories.customers import AddressFactory, CustomerFactory

pytestmark = pytest.mark.django_db


class TestRemoving:
    def test_it_is_for_good_and_answers_what_remains(
        self, caller: Caller, eve: Customer, home: CustomerAddress
    ) -> None:
        gone = AddressFactory(customer=eve, is_default_billing=True)
        answer = caller.send("DELETE", f"{PATH}/{gone.pk}")
        assert answer.status_code == 200
        assert list(answer.json()) == ["id", "object", "deleted", "parent"]
        parent = answer.json().pop("parent")
        assert (answer.json()["id"], answer.json()["object"], answer.json()["deleted"]) == (gone.pk, "address", True)
        assert (parent["id"], parent["default_billing_address_id"]) == (eve.pk, None)
        assert [address["id"] for address in parent["addresses"]] == [home.pk]
        assert list(CustomerAddress.objects.all()) == [home]
        assert refusal(caller.send("DELETE", f"{PATH}/{gone.pk}")) == (404, f"Address with id: {gone.pk} was not found")

    def test_it_answers_the_fields_that_are_asked_for(
        self, caller: Caller, eve: Customer, home: CustomerAddress
    ) -> None:
        answer = caller.send("DELETE", f"{PATH}/{home.pk}", query="fields=email,orders.id")
        assert refusal(answer) == (400, "Requested fields [orders.id] are not valid")
        answer = caller.send("DELETE", f"{PATH}/{home.pk}", query="fields=email").json()
        assert answer["parent"] == {"id": eve.pk, "email": eve.email}


class TestListing:
    def test_the_envelope_holds_ones_own_alone(
        self, caller: Caller, home: CustomerAddress, theirs: CustomerAddress
    ) -> None:
        body = caller.get(PATH).json()
        assert [address["id"] for address in body.pop("addresses")] == [home.pk]
        assert body == {"count": 1, "estimate_count": 1, "offset": 0, "limit": 50}
        assert caller.get(PATH, "with_deleted=true").json()["count"] == 1

    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("q=harbour", ["A"]),
            ("q=ULM+harbour", ["A"]),
            ("q=elm", []),
            ("city=Ulm", ["A", "B"]),
            ("city=ulm", []),
            ("country_code=de&postal_code=2", ["B"]),
            ("country_code[]=de&country_code[]=at", ["A", "B", "C"]),
            ("$or[0][postal_code]=1&$or[1][postal_code]=3", ["A", "C"]),
            ("order=-address_name&limit=1", ["C"]),
        ],
    )
    def test_filters(self, caller: Caller, eve: Customer, query: str, found: list[str]) -> None:
        for name, line, city, country, code in [
            ("A", "Harbour 1", "Ulm", "de", "1"),
            ("B", "Square 2", "Ulm", "de", "2"),
            ("C", "Square 3", "Wien", "at", "3"),
        ]:
            AddressFactory(
                customer=eve, address_name=name, address_1=line, city=city, country_code=country, province=None,
                postal_code=code,
            )  # fmt: skip
        AddressFactory(address_1="Harbour 1", city="Ulm", postal_code="1")
        answer = caller.get(PATH, query)
        assert [address["address_name"] for address in answer.json()["addresses"]] == found, answer.content

    @pytest.mark.parametrize("query", ["first_name=Ann", "customer_id=cus_1", "$or[0][phone]=1", "order=nope"])
    def test_other_parameters_are_refused(self, caller: Caller, query: str) -> None:
        assert caller.get(PATH, query).status_code == 400


class TestStatements:
    """A publishable key's and a token's look-up are two of them."""

    def count(self, caller: Caller, method: str, path: str, body: Any = b"") -> int:
        with CaptureQueriesContext(connection) as queries:
            assert caller.send(method, path, body).status_code == 200
        return sum(
            not (query["sql"] or "").startswith(("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT")) for query in queries
        )

    @pytest.mark.parametrize("amount", [1, 5, 100])
    def test_they_are_as_many_for_one_address_as_for_a_hundred(
        self, caller: Caller, eve: Customer, home: CustomerAddress, settings: Any, amount: int
    ) -> None:
        settings.MAX_ADDRESSES = 200
        AddressFactory.create_batch(amount, customer=eve)
        AddressFactory(customer=eve, **dict.fromkeys(FLAGS, True))
        path = f"{PATH}/{home.pk}"
        assert self.count(caller, "POST", path, {"city": "Ulm", **dict.fromkeys(FLAGS, True)}) == 9
        assert self.count(caller, "POST", path, {"city": "Bonn"}) == 8
        assert self.count(caller, "POST", path, {"city": "Bonn"}) == 6
        assert self.count(caller, "POST", PATH, {"city": "Ulm"}) == 9
        assert self.count(caller, "GET", PATH) == 3
        assert self.count(caller, "GET", "/store/customers/me") == 4
        assert self.count(caller, "DELETE", path) == 8


def test_a_customer_keeps_so_many_addresses_and_no_more(
    caller: Caller, eve: Customer, theirs: CustomerAddress, settings: Any
) -> None:
    settings.MAX_ADDRESSES = 2
    first = caller.post(PATH, {"city": "Ulm"}).json()["customer"]["addresses"][0]["id"]
    assert caller.post(PATH, {"city": "Bonn"}).status_code == 200
    before = rows()
    answer = caller.post(PATH, {"city": "Trier", "is_default_shipping": True})
    assert refusal(answer) == (400, "A customer can have at most 2 addresses")
    assert rows() == before
    assert caller.post(f"{PATH}/{first}", {"city": "Jena"}).status_code == 200
    assert caller.send("DELETE", f"{PATH}/{first}").status_code == 200
    assert caller.post(PATH, {"city": "Trier"}).status_code == 200
    assert eve.addresses.count() == 2


def test_one_who_signs_in_as_another_sees_the_others_addresses(caller: Caller, home: CustomerAddress) -> None:
    other = CustomerFactory()
    AddressFactory(customer=other, city="Elsewhere")
    assert [address["city"] for address in signed_in(other).get(PATH).json()["addresses"]] == ["Elsewhere"]
