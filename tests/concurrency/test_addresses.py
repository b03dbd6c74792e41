"""One customer, many changes at once: one default of each kind at the end, one customer of each registration."""

from collections import Counter
from typing import Any

import pytest

from auth.account_types.actors import resolve
from auth.models import AuthIdentity
from auth.passwords.reset_tokens import issue_reset_token
from customers.models import Customer, CustomerAddress
from kit.safety.password_hashers import AT_ONCE, WAITING
from tests.concurrency.crowd import at_once
from tests.contract.callers import Caller
from tests.factories.apikeys import publishable_key
from tests.factories.customers import AddressFactory, CustomerFactory, IdentityFactory, registration_token, token_of
from tests.factories.staff import PASSWORD

pytestmark = pytest.mark.django_db(transaction=True)
THREADS = 20
HASHES = AT_ONCE + WAITING
"""As many requests that compute a hash have room in a process; further ones are a 503."""
PATH = "/store/customers/me/addresses"


def caller(token: str, key: str) -> Caller:
    return Caller(x_publishable_api_key=key, Authorization=f"Bearer {token}")


@pytest.fixture
def eve() -> Customer:
    return CustomerFactory()


@pytest.fixture
def send(eve: Customer) -> Any:
    """`send(path, body)` as Eve, each time by a client of its own; the status."""
    token, key = token_of(eve), publishable_key().token

    def request(path: str, body: dict[str, Any]) -> int:
        return caller(token, key).post(path, body).status_code

    return request


def test_of_many_changes_of_the_default_one_address_is_it(eve: Customer, send: Any) -> None:
    addresses = AddressFactory.create_batch(THREADS, customer=eve)
    theirs = AddressFactory(is_default_shipping=True)
    for body in ({"is_default_shipping": True}, {"is_default_shipping": True, "is_default_billing": True}):
        statuses = at_once(lambda number, body=body: send(f"{PATH}/{addresses[number].pk}", body), threads=THREADS)
        assert Counter(statuses) == {200: THREADS}
        for flag in body:
            assert eve.addresses.filter(**{flag: True}).count() == 1
    theirs.refresh_from_db()
    assert theirs.is_default_shipping


def test_of_many_new_defaults_one_is_it(eve: Customer, send: Any) -> None:
    statuses = at_once(lambda number: send(PATH, {"city": str(number), "is_default_billing": True}), threads=THREADS)
    assert Counter(statuses) == {200: THREADS}
    assert (eve.addresses.count(), eve.addresses.filter(is_default_billing=True).count()) == (THREADS, 1)


def test_many_new_addresses_at_once_are_no_more_than_a_customer_may_have(
    eve: Customer, send: Any, settings: Any
) -> None:
    settings.MAX_ADDRESSES = 7
    statuses = at_once(lambda number: send(PATH, {"city": str(number)}), threads=THREADS)
    assert Counter(statuses) == {200: 7, 400: THREADS - 7}
    assert eve.addresses.count() == 7


def test_of_changes_to_one_addresss_metadata_none_is_lost(eve: Customer, send: Any) -> None:
    address = AddressFactory(customer=eve)
    at_once(lambda number: send(f"{PATH}/{address.pk}", {"metadata": {str(number): number}}), threads=THREADS)
    assert CustomerAddress.objects.get().metadata == {str(number): number for number in range(THREADS)}


def test_one_registration_makes_one_customer() -> None:
    token, key = registration_token(IdentityFactory(email="eve@example.com")), publishable_key().token
    statuses = at_once(lambda _: caller(token, key).post("/store/customers", {}).status_code, threads=8)
    assert Counter(statuses) == {200: 1, 400: 7}
    assert AuthIdentity.objects.get().customer_id == Customer.objects.get().pk


def test_of_many_registrations_of_one_email_all_get_the_same_identity() -> None:
    body = {"email": "eve@example.com", "password": PASSWORD}
    statuses = at_once(lambda _: Caller().post("/auth/customer/emailpass/register", body).status_code, threads=HASHES)
    assert Counter(statuses) == {200: HASHES}
    assert AuthIdentity.objects.count() == 1


def test_a_reset_token_sets_one_password_however_often_it_is_used_at_once() -> None:
    account = resolve("customer", (identity := IdentityFactory()).pk, identity.stamp)
    assert account is not None
    token = issue_reset_token(account)

    def status(number: int) -> int:
        body = {"password": f"a password nobody else has {number}"}
        answer = Caller(Authorization=f"Bearer {token}").post("/auth/customer/emailpass/update", body)
        return answer.status_code

    assert Counter(at_once(status, threads=HASHES)) == {200: 1, 401: HASHES - 1}
