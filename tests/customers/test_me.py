"""The customer's own record: what it shows, what can be changed of it, and how it ends."""

from typing import Any

import pytest
from django.test import Client

from auth.models import AuthIdentity
from customers.customer_editing import VERBS
from customers.models import Customer
from customers.profile import change_details
from kit.domain.actor import SYSTEM, Actor
from kit.errors import Forbidden, NotFound
from tests.contract.callers import Caller, refusal, reported
from tests.customers.conftest import signed_in
from tests.factories.actors import staff_actor
from tests.factories.apikeys import publishable_key
from tests.factories.customers import AddressFactory, CustomerFactory, customer_actor, token_of
from tests.factories.staff import PASSWORD

pytestmark = pytest.mark.django_db
PATH = "/store/customers/me"
UNAUTHORIZED = (401, "text/plain", b"Unauthorized")
LINES = ("company_name", "first_name", "last_name", "phone")


class TestReading:
    def test_addresses_are_among_the_defaults_and_orders_are_offered(self, caller: Caller, eve: Customer) -> None:
        home = AddressFactory(customer=eve, is_default_billing=True, is_default_shipping=True)
        AddressFactory()
        shown = caller.get(PATH, "fields=*orders").json()["customer"]
        assert [address["id"] for address in shown["addresses"]] == [home.pk]
        assert (shown["orders"], shown["email"]) == ([], "eve@example.com")
        assert (shown["default_billing_address_id"], shown["default_shipping_address_id"]) == (home.pk, home.pk)
        assert "orders" not in caller.get(PATH).json()["customer"]

    def test_fields_choose(self, caller: Caller) -> None:
        shown = caller.get(PATH, "fields=first_name,addresses.city,orders.id").json()["customer"]
        assert list(shown) == ["id", "first_name", "addresses", "orders"]

    @pytest.mark.parametrize("field", ["password", "groups", "identity", "stamp", "addresses.customer", "orders.items"])
    def test_nothing_else_is_offered(self, caller: Caller, field: str) -> None:
        assert refusal(caller.get(PATH, f"fields={field}")) == (400, f"Requested fields [{field}] are not valid")

    def test_who_asks_decides_and_no_cache_keeps_it(self, caller: Caller, eve: Customer) -> None:
        ann = CustomerFactory()
        assert caller.get(PATH).json()["customer"]["id"] == eve.pk
        assert signed_in(ann).get(PATH).json()["customer"]["id"] == ann.pk
        assert caller.get(PATH)["Cache-Control"] == "no-store"


class TestChanging:
    def test_the_given_details_change_and_no_others(self, caller: Caller, eve: Customer) -> None:
        answer = caller.post(PATH, {"phone": "555", "last_name": None, "metadata": {"a": 1}})
        shown = answer.json()["customer"]
        assert (shown["phone"], shown["first_name"], shown["last_name"]) == ("555", "Eve", None)
        assert (shown["metadata"], shown["addresses"]) == ({"a": 1}, [])
        assert shown["updated_at"] > shown["created_at"]

    @pytest.mark.parametrize(
        ("given", "kept"),
        [
            ({"b": 2}, {"a": 1, "b": 2}),
            ({"a": ""}, {}),
            ({"a": None}, {"a": None}),
            ({"a": {"c": []}}, {"a": {"c": []}}),
            ({}, {}),
            (None, None),
        ],
    )
    def test_metadata_is_merged(self, caller: Caller, eve: Customer, given: Any, kept: Any) -> None:
        Customer.objects.update(metadata={"a": 1})
        assert caller.post(PATH, {"metadata": given}).json()["customer"]["metadata"] == kept

    def test_what_is_there_already_changes_nothing(self, caller: Caller, eve: Customer) -> None:
        for body in ({}, {"first_name": "Eve"}, {"phone": None}):
            assert caller.post(PATH, body).status_code == 200
        assert Customer.objects.get().updated_at == eve.updated_at

    @pytest.mark.parametrize(
        "body",
        [
            {"email": "ann@example.com"},
            {"has_account": False},
            {"id": "cus_1"},
            {"deleted_at": None},
            {"groups": []},
            {"password": "x"},
        ],
    )
    def test_nothing_else_can_be_assigned(self, caller: Caller, eve: Customer, body: dict[str, Any]) -> None:
        (field,) = body
        assert refusal(caller.post(PATH, body)) == (400, f"Invalid request: Unrecognized fields: '{field}'")
        assert Customer.objects.values().get() == Customer.objects.filter(pk=eve.pk).values().get()

    @pytest.mark.parametrize("field", LINES)
    @pytest.mark.parametrize(
        "value",
        [
            "Eve\r\nBcc: all@example.com",
            "Eve\nMoss",
            "\u2028",
            "\x1b[31m",
            "\x7f",
            "\0",
            "e" * 256,
            "e" * 5000,
            "\ud800",
            5,
            True,
            [],
            {},
        ],
        ids=ascii,
    )
    def test_a_line_is_a_short_text_of_one_line(self, caller: Caller, eve: Customer, field: str, value: Any) -> None:
        raw = b'{"%s": "\\ud800"}' % field.encode() if value == "\ud800" else {field: value}
        status, _ = refusal(caller.post(PATH, raw))
        assert status == 400
        assert Customer.objects.get(pk=eve.pk).updated_at == eve.updated_at

    @pytest.mark.parametrize("value", ["", " ", "é" * 255, "<script>alert(1)</script>", "'; DROP TABLE x; --", "山田"])
    def test_any_other_text_is_kept_as_it_is(self, caller: Caller, value: str) -> None:
        assert caller.post(PATH, {"first_name": value}).json()["customer"]["first_name"] == value

    def test_the_verb_holds_to_this_for_every_caller(self, eve: Customer) -> None:
        with pytest.raises(Exception, match=r"^Value for field 'phone' must not contain control characters$"):
            change_details(actor=SYSTEM, customer_id=eve.pk, phone="1\n2")
        with pytest.raises(Exception, match=r"^Value for field 'metadata' holds a number beyond 64 bits$"):
            change_details(actor=SYSTEM, customer_id=eve.pk, metadata={"a": 2**70})

    def test_others_need_the_permission(self, eve: Customer) -> None:
        for actor in (customer_actor(CustomerFactory()), staff_actor("customers.view_customer"), Actor("anonymous")):
            with pytest.raises(Forbidden):
                change_details(actor=actor, customer_id=eve.pk, phone="1")
        change_details(actor=staff_actor("customers.change_customer"), customer_id=eve.pk, phone="1")
        with pytest.raises(NotFound):
            change_details(actor=SYSTEM, customer_id="cus_\0", phone="1")


class TestDeletion:
    @pytest.fixture
    def token(self, eve: Customer) -> str:
        return token_of(eve)

    def test_tokens_and_sessions_end_at_once(self, caller: Caller, eve: Customer, token: str) -> None:
        browser = Client(headers={"x-publishable-api-key": publishable_key().token})
        opened = browser.post(
            "/auth/session", content_type="application/json", headers={"authorization": f"Bearer {token}"}
        )
        assert opened.status_code == browser.get(PATH).status_code == 200
        VERBS.delete(actor=SYSTEM, ids=[eve.pk])
        assert reported(caller.get(PATH)) == UNAUTHORIZED
        assert reported(browser.get(PATH)) == UNAUTHORIZED
        assert reported(caller.post("/auth/token/refresh")) == UNAUTHORIZED

    def test_the_email_is_free_for_a_new_account_that_inherits_nothing(self, caller: Caller, eve: Customer) -> None:
        AddressFactory(customer=eve)
        VERBS.delete(actor=SYSTEM, ids=[eve.pk])
        login = {"email": "eve@example.com", "password": PASSWORD}
        assert caller.post("/auth/customer/emailpass", login).status_code == 401
        token = caller.post("/auth/customer/emailpass/register", login).json()["token"]
        fresh = caller.post("/store/customers", {}, Authorization=f"Bearer {token}").json()["customer"]
        assert fresh["id"] != eve.pk
        assert (fresh["email"], fresh["addresses"]) == ("eve@example.com", [])

    def test_it_is_soft_and_takes_the_addresses_along(self, eve: Customer) -> None:
        address = AddressFactory(customer=eve, is_default_billing=True)
        other = AddressFactory()
        VERBS.delete(actor=SYSTEM, ids=[eve.pk])
        eve.refresh_from_db()
        address.refresh_from_db()
        other.refresh_from_db()
        assert eve.deleted_at == address.deleted_at is not None
        assert other.deleted_at is None
        with pytest.raises(NotFound):
            VERBS.delete(actor=SYSTEM, ids=[eve.pk])

    def test_it_is_for_staff_with_the_permission(self, eve: Customer) -> None:
        for actor in (customer_actor(eve), staff_actor("customers.change_customer")):
            with pytest.raises(Forbidden):
                VERBS.delete(actor=actor, ids=[eve.pk])
        VERBS.delete(actor=staff_actor("customers.delete_customer"), ids=[eve.pk])
        assert not AuthIdentity.objects.exists()
