"""A customer's addresses: what each route answers, what it refuses, and that there is one default of each kind."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from commerce.core.actor import SYSTEM
from commerce.core.errors import Forbidden
from customers import address_book
from customers.errors import AddressNotFound, CustomerNotFound
from customers.models import Customer, CustomerAddress
from tests.contract.callers import Caller, refusal
from tests.customers.conftest import signed_in
from tests.factories.actors import staff_actor
from tests.factories.customers import AddressFactory, CustomerFactory, customer_actor

pytestmark = pytest.mark.django_db
PATH = "/store/customers/me/addresses"
LINES = (
    *("first_name", "last_name", "phone", "company", "address_1", "address_2"),
    *("city", "country_code", "province", "postal_code", "address_name"),
)
FLAGS = ("is_default_shipping", "is_default_billing")
STOREFRONT = {
    "first_name": "Eve",
    "last_name": "Moss",
    "company": "",
    "address_1": "1 Elm Street",
    "address_2": "",
    "city": "New York",
    "postal_code": "10001",
    "province": "NY",
    "country_code": "US",
    "phone": "",
    "is_default_billing": False,
    "is_default_shipping": False,
}
"""As the storefronts send it: empty texts, codes as they were typed."""


@pytest.fixture
def home(eve: Customer) -> CustomerAddress:
    return AddressFactory(customer=eve, address_name="Home", metadata={"a": 1})


@pytest.fixture
def theirs() -> CustomerAddress:
    """Another customer's."""
    return AddressFactory(is_default_shipping=True, is_default_billing=True)


def defaults(customer: Customer) -> list[list[str]]:
    """The ids of the default addresses, by kind."""
    return [list(customer.addresses.filter(**{flag: True}).values_list("pk", flat=True)) for flag in FLAGS]


def rows() -> list[dict[str, Any]]:
    return list(CustomerAddress.objects.order_by("pk").values())


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


class TestPlaces:
    @pytest.mark.parametrize(
        ("given", "kept"),
        [
            ({"country_code": "US", "province": "us-NY"}, ("us", "us-ny")),
            ({"country_code": "us", "province": "ny"}, ("us", "us-ny")),
            ({"country_code": "us", "province": "New York"}, ("us", "us-ny")),
            ({"province": "DE-BY"}, (None, "de-by")),
            ({"country_code": "xk"}, ("xk", None)),
            ({"country_code": "", "province": ""}, (None, None)),
            ({"country_code": None, "province": None}, (None, None)),
        ],
    )
    def test_are_kept_as_lower_case_codes(
        self, caller: Caller, given: dict[str, str], kept: tuple[str | None, str | None]
    ) -> None:
        (address,) = caller.post(PATH, given).json()["customer"]["addresses"]
        assert (address["country_code"], address["province"]) == kept

    @pytest.mark.parametrize(
        ("given", "field"),
        [
            ({"country_code": "zz"}, "country_code"),
            ({"country_code": "usa"}, "country_code"),
            ({"country_code": " "}, "country_code"),
            ({"country_code": "us", "province": "de-by"}, "province"),
            ({"country_code": "us", "province": "Nowhere"}, "province"),
            ({"province": "ny"}, "province"),
            ({"country_code": "us", "province": " "}, "province"),
        ],
    )
    def test_others_are_refused_naming_the_field(self, caller: Caller, given: dict[str, str], field: str) -> None:
        status, message = refusal(caller.post(PATH, given))
        assert (status, f"'{field}'" in message) == (400, True)
        assert rows() == []

    def test_an_update_reads_them_beside_what_is_stored(self, caller: Caller, home: CustomerAddress) -> None:
        path = f"{PATH}/{home.pk}"
        shown = caller.post(path, {"province": "California"}).json()["customer"]["addresses"][0]
        assert (shown["country_code"], shown["province"]) == ("us", "us-ca")
        assert refusal(caller.post(path, {"country_code": "de"}))[0] == 400
        shown = caller.post(path, {"country_code": "de", "province": ""}).json()["customer"]["addresses"][0]
        assert (shown["country_code"], shown["province"]) == ("de", None)


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


class TestAttacks:
    @pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
    def test_another_customers_address_is_no_address(
        self, caller: Caller, theirs: CustomerAddress, method: str
    ) -> None:
        before = rows()
        body: Any = {"city": "Ulm", "is_default_shipping": True} if method == "POST" else b""
        for address_id in (theirs.pk, "cuaddr_x", theirs.customer_id, "me", "*", "%25", "cuaddr_x" * 500):
            answer = caller.send(method, f"{PATH}/{address_id}", body)
            assert answer.status_code == 404
            assert answer.json()["type"] == "not_found"
        assert refusal(caller.send(method, f"{PATH}/{theirs.pk}", body)) == (
            404,
            f"Address with id: {theirs.pk} was not found",
        )
        assert rows() == before

    @pytest.mark.parametrize(
        "body",
        [
            {"customer_id": "cus_1"},
            {"id": "cuaddr_1"},
            {"created_at": "2020-01-01"},
            {"deleted_at": None},
            {"customer": {"id": "cus_1"}},
            {"is_default": True},
        ],
    )
    def test_nothing_else_can_be_assigned(self, caller: Caller, home: CustomerAddress, body: dict[str, Any]) -> None:
        before = rows()
        (field,) = body
        for path in (PATH, f"{PATH}/{home.pk}"):
            assert refusal(caller.post(path, body)) == (400, f"Invalid request: Unrecognized fields: '{field}'")
        assert rows() == before

    @pytest.mark.parametrize("field", LINES)
    @pytest.mark.parametrize(
        "value", ["a\r\nb", "a\nb", "\x00", "\x1b", "\u2029", "e" * 256, "e" * 5000, 5, False, []], ids=ascii
    )
    def test_a_line_is_a_short_text_of_one_line(
        self, caller: Caller, home: CustomerAddress, field: str, value: Any
    ) -> None:
        before = rows()
        for path in (PATH, f"{PATH}/{home.pk}"):
            assert refusal(caller.post(path, {field: value}))[0] == 400
        assert rows() == before

    @pytest.mark.parametrize("flag", FLAGS)
    @pytest.mark.parametrize("value", [None, "true", 1, 0, "", []])
    def test_a_flag_is_true_or_false(self, caller: Caller, home: CustomerAddress, flag: str, value: Any) -> None:
        before = rows()
        for path in (PATH, f"{PATH}/{home.pk}"):
            status, message = refusal(caller.post(path, {flag: value}))
            assert (status, flag in message) == (400, True)
        assert rows() == before

    @pytest.mark.parametrize("value", ["x", [], 5, True, {"a": 2**70}, {"a": [[[]]] * 2, "b": "\0"}])
    def test_metadata_is_an_object_that_can_be_kept(self, caller: Caller, home: CustomerAddress, value: Any) -> None:
        raw = b'{"metadata": {"a": 1180591620717411303424}}' if value == {"a": 2**70} else {"metadata": value}
        before = rows()
        assert refusal(caller.post(f"{PATH}/{home.pk}", raw))[0] == 400
        assert rows() == before

    def test_a_refused_change_moves_no_default(self, caller: Caller, eve: Customer) -> None:
        old = AddressFactory(customer=eve, is_default_shipping=True)
        new = AddressFactory(customer=eve)
        body = {"is_default_shipping": True, "country_code": "zz"}
        assert caller.post(f"{PATH}/{new.pk}", body).status_code == 400
        assert caller.post(PATH, body).status_code == 400
        assert defaults(eve) == [[old.pk], []]

    def test_the_verbs_hold_to_whose_it_is(self, eve: Customer, theirs: CustomerAddress) -> None:
        for actor in (customer_actor(eve), staff_actor("customers.view_customer")):
            with pytest.raises(Forbidden):
                address_book.change_address(
                    actor=actor, customer_id=theirs.customer_id, address_id=theirs.pk, city="Ulm"
                )
        with pytest.raises(AddressNotFound):
            address_book.remove_address(actor=SYSTEM, customer_id=eve.pk, address_id=theirs.pk)
        with pytest.raises(CustomerNotFound):
            address_book.add_address(actor=SYSTEM, customer_id="cus_1")
        staff = staff_actor("customers.change_customer")
        address_book.change_address(actor=staff, customer_id=theirs.customer_id, address_id=theirs.pk, city="Ulm")


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
        assert self.count(caller, "POST", path, {"city": "Ulm", **dict.fromkeys(FLAGS, True)}) == 8
        assert self.count(caller, "POST", path, {"city": "Bonn"}) == 7
        assert self.count(caller, "POST", path, {"city": "Bonn"}) == 6
        assert self.count(caller, "POST", PATH, {"city": "Ulm"}) == 7
        assert self.count(caller, "GET", PATH) == 3
        assert self.count(caller, "GET", "/store/customers/me") == 4
        assert self.count(caller, "DELETE", path) == 7


def test_a_customer_keeps_so_many_addresses_and_no_more(
    caller: Caller, eve: Customer, theirs: CustomerAddress, settings: Any
) -> None:
    settings.MAX_ADDRESSES = 2
    first = caller.post(PATH, {"city": "Ulm"}).json()["customer"]["addresses"][0]["id"]
    assert caller.post(PATH, {"city": "Bonn"}).status_code == 200
    before = rows()
    answer = caller.post(PATH, {"city": "Trier", "is_default_shipping": True})
    assert refusal(answer) == (400, "A customer has at most 2 addresses")
    assert rows() == before
    assert caller.post(f"{PATH}/{first}", {"city": "Jena"}).status_code == 200
    assert caller.send("DELETE", f"{PATH}/{first}").status_code == 200
    assert caller.post(PATH, {"city": "Trier"}).status_code == 200
    assert eve.addresses.count() == 2


def test_whoever_signs_in_as_another_sees_the_others_addresses(caller: Caller, home: CustomerAddress) -> None:
    other = CustomerFactory()
    AddressFactory(customer=other, city="Elsewhere")
    assert [address["city"] for address in signed_in(other).get(PATH).json()["addresses"]] == ["Elsewhere"]
