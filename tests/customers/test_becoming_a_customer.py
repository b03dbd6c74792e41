"""From a registration to a customer: once, for the email that was registered."""

from typing import Any

import pytest

from auth.models import AuthIdentity
from auth.tokens.tokens import verify
from customers.models import Customer
from customers.registration import create_customer
from kit.domain.actor import ANONYMOUS, SYSTEM
from kit.errors import Forbidden
from tests.contract.callers import Caller, refusal
from tests.factories.apikeys import publishable_key
from tests.factories.customers import CustomerFactory, IdentityFactory, registration_token

pytestmark = pytest.mark.django_db
PATH = "/store/customers"


@pytest.fixture
def newcomer() -> Caller:
    """A storefront where somebody has registered an email a moment ago."""
    return registered("new@example.com")


def registered(email: str) -> Caller:
    token = registration_token(IdentityFactory(email=email))
    return Caller(x_publishable_api_key=publishable_key().token, Authorization=f"Bearer {token}")


def test_the_answer_is_the_customer_whole(newcomer: Caller) -> None:
    body = {
        "email": "New@Example.com",
        "company_name": "Moss & Sons",
        "first_name": "Nell",
        "last_name": None,
        "phone": "1",
        "metadata": {"a": 1, "b": ""},
    }
    answer = newcomer.post(PATH, body)
    customer = Customer.objects.get()
    assert (answer.status_code, list(answer.json())) == (200, ["customer"])
    shown = answer.json()["customer"]
    assert shown.pop("updated_at") >= shown.pop("created_at")
    assert shown == {
        **body,
        "email": "new@example.com",
        "id": customer.pk,
        "default_billing_address_id": None,
        "default_shipping_address_id": None,
        "has_account": True,
        "deleted_at": None,
        "addresses": [],
    }


def test_the_email_is_the_registered_one_where_it_is_left_out(newcomer: Caller) -> None:
    for body in ({}, b""):
        Customer.objects.all().delete()
        AuthIdentity.objects.update(customer_id=None)
        assert newcomer.post(PATH, body).json()["customer"]["email"] == "new@example.com"


def test_the_registrations_token_is_the_customers_from_then_on(newcomer: Caller) -> None:
    assert newcomer.get(f"{PATH}/me").status_code == 401
    customer_id = newcomer.post(PATH, {}).json()["customer"]["id"]
    assert newcomer.get(f"{PATH}/me").json()["customer"]["id"] == customer_id


def test_it_happens_once(newcomer: Caller) -> None:
    newcomer.post(PATH, {})
    assert refusal(newcomer.post(PATH, {})) == (400, "Request already authenticated as a customer.")
    assert Customer.objects.count() == 1


def test_a_customer_cannot_make_another(caller: Caller) -> None:
    assert refusal(caller.post(PATH, {})) == (400, "Request already authenticated as a customer.")


def test_another_email_than_the_registered_one_is_refused(newcomer: Caller) -> None:
    CustomerFactory(email="ann@example.com")
    for email in ("ann@example.com", "nobody@example.com", "new@example.com.evil.example"):
        assert refusal(newcomer.post(PATH, {"email": email})) == (
            400,
            "Value for field 'email' must be the registered email",
        )
    assert refusal(newcomer.post(PATH, {"email": "new"})) == (400, "Value for field 'email' is not an email address")
    assert not Customer.objects.filter(email="new@example.com").exists()


def test_an_account_of_that_email_that_cannot_sign_in_stands_in_the_way(newcomer: Caller) -> None:
    AuthIdentity.objects.filter(customer_id=CustomerFactory(email="lost@example.com").pk).delete()
    AuthIdentity.objects.filter(email="new@example.com").update(email="lost@example.com")
    answer = newcomer.post(PATH, {})
    assert (answer.status_code, answer.json()) == (
        422,
        {
            "code": "invalid_request_error",
            "type": "duplicate_error",
            "message": "Customer with this email already has an account",
        },
    )


def test_a_guest_of_that_email_stays_somebody_else(newcomer: Caller) -> None:
    guest = CustomerFactory(email="new@example.com", has_account=False, phone="secret")
    customer = newcomer.post(PATH, {}).json()["customer"]
    assert customer["id"] != guest.pk
    assert customer["phone"] is None


@pytest.mark.parametrize(
    "body",
    [
        {"has_account": False},
        {"id": "cus_1"},
        {"created_at": "2020-01-01"},
        {"groups": ["cusgroup_1"]},
        {"addresses": []},
        {"password": "x"},
        {"default_billing_address_id": "cuaddr_1"},
    ],
)
def test_nothing_else_can_be_assigned(newcomer: Caller, body: dict[str, Any]) -> None:
    (field,) = body
    assert refusal(newcomer.post(PATH, body)) == (400, f"Invalid request: Unrecognized fields: '{field}'")
    assert not Customer.objects.exists()


def test_an_idempotency_key_replays_the_answer_to_its_own_registration_alone() -> None:
    key = "00000000000000000001"
    first, second = registered("one@example.com"), registered("two@example.com")
    answer = first.post(PATH, {}, Idempotency_Key=key)
    again = first.post(PATH, {}, Idempotency_Key=key)
    assert (again.content, again["Idempotent-Replayed"]) == (answer.content, "true")
    other = second.post(PATH, {}, Idempotency_Key=key)
    assert "Idempotent-Replayed" not in other
    assert other.json()["customer"]["email"] == "two@example.com"


def test_the_verb_is_for_registrations_alone(db: None) -> None:
    for actor in (ANONYMOUS, SYSTEM):
        with pytest.raises(Forbidden):
            create_customer(actor=actor)


def test_a_registration_that_ended_meanwhile_makes_nobody(newcomer: Caller) -> None:
    token = newcomer.headers["Authorization"].removeprefix("Bearer ")
    credential = verify(token)
    assert credential is not None
    AuthIdentity.objects.all().delete()
    assert newcomer.post(PATH, {}).status_code == 401
    with pytest.raises(Exception, match="Invalid token"):
        create_customer(actor=credential.account.actor)
    assert not Customer.objects.exists()
