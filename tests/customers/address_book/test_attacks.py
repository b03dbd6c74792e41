"""What an address is not, whose it is not, and that a refusal changes nothing."""

from typing import Any

import pytest

from customers import address_book
from customers.errors import AddressNotFound, CustomerNotFound
from customers.models import Customer, CustomerAddress
from kit.domain.actor import SYSTEM
from kit.errors import Forbidden
from tests.contract.callers import Caller, refusal
from tests.customers.address_book.contents import FLAGS, LINES, PATH, defaults, rows
from tests.factories.actors import staff_actor
from tests.factories.customers import AddressFactory, customer_actor

pytestmark = pytest.mark.django_db


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
