"""Customers in GraphQL: the same verbs, answers and refusals as over REST."""

from typing import Any

import jwt
import pytest
from django.core import mail

from customers.models import Customer, CustomerAddress
from kit.messages.mails.sending import send_due
from tests.contract.callers import Caller
from tests.customers.conftest import signed_in
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.customers import AddressFactory, CustomerFactory, IdentityFactory, registration_token
from tests.factories.staff import PASSWORD, UserFactory
from tests.kit.graphql.calls import ask, data, failures, is_unauthorized

pytestmark = pytest.mark.django_db
UNAUTHORIZED = ("Unauthorized", {"type": "unauthorized"})
ME = """{ me { id email default_billing_address_id: defaultBillingAddressId
  default_shipping_address_id: defaultShippingAddressId company_name: companyName first_name: firstName
  last_name: lastName phone has_account: hasAccount metadata created_at: createdAt updated_at: updatedAt
  deleted_at: deletedAt addresses { id city province isDefaultBilling metadata } orders { id } } }"""
OWN_FIELDS = [
    "me { id }",
    "addresses { count }",
    'address(id: "x") { id }',
    "updateCustomer(input: {}) { customer { id } }",
    "createAddress(input: {}) { customer { id } }",
    'updateAddress(id: "x", input: {}) { customer { id } }',
    'deleteAddress(id: "x") { id }',
]


def whole(field: str) -> str:
    return ("mutation " if field.startswith(("update", "create", "delete")) else "") + f"{{ {field} }}"


def test_me_is_what_rest_shows(caller: Caller, eve: Customer) -> None:
    AddressFactory(customer=eve, is_default_billing=True, metadata={"a": [1]})
    AddressFactory()
    shown = data(ask(caller, ME))["me"]
    (address,) = shown.pop("addresses")
    rest = caller.get("/store/customers/me", "fields=*orders").json()["customer"]
    (by_rest,) = rest.pop("addresses")
    assert shown == rest
    assert address == {
        "id": by_rest["id"],
        "city": by_rest["city"],
        "province": by_rest["province"],
        "isDefaultBilling": True,
        "metadata": {"a": [1]},
    }


@pytest.mark.parametrize("field", OWN_FIELDS)
def test_what_is_a_customers_own_is_for_nobody_else(field: str, db: None) -> None:
    key = publishable_key().token
    name = field.partition(" ")[0].partition("(")[0]
    assert is_unauthorized(ask(Caller(x_publishable_api_key=key), whole(field)))
    for caller in (
        Caller(Authorization=f"Bearer {registration_token(IdentityFactory())}"),
        Caller(Authorization=f"Bearer {secret_key(UserFactory(is_superuser=True)).token}"),
    ):
        assert failures(ask(caller, whole(field))) == [(name, *UNAUTHORIZED)]


def test_the_whole_way_from_registration_to_an_address(db: None) -> None:
    storefront = Caller(x_publishable_api_key=publishable_key().token)
    login = {"email": "New@example.com", "password": PASSWORD}
    register = "mutation ($input: RegistrationInput!) { register(input: $input) { token } }"
    token = data(ask(storefront, register, {"input": login}))["register"]["token"]
    registered = Caller(Authorization=f"Bearer {token}")
    create = (
        'mutation { createCustomer(input: {firstName: "Nell"}) { customer { id email firstName addresses { id } } } }'
    )
    customer = data(ask(registered, create))["createCustomer"]["customer"]
    assert customer == {
        "id": Customer.objects.get().pk,
        "email": "new@example.com",
        "firstName": "Nell",
        "addresses": [],
    }
    assert failures(ask(registered, create)) == [
        ("createCustomer", "Request already authenticated as a customer.", {"type": "invalid_data"})
    ]
    sign_in = "mutation ($input: SignInInput!) { login(input: $input) { token } }"
    token = data(ask(storefront, sign_in, {"input": {**login, "actorType": "customer"}}))["login"]["token"]
    assert jwt.decode(token, options={"verify_signature": False})["actor_id"] == customer["id"]
    add = 'mutation { createAddress(input: {countryCode: "DE"}) { customer { addresses { city countryCode } } } }'
    answer = data(ask(Caller(Authorization=f"Bearer {token}"), add))
    assert answer["createAddress"]["customer"]["addresses"] == [{"city": None, "countryCode": "de"}]


def test_a_login_without_actor_type_is_a_customers(db: None) -> None:
    storefront = Caller(x_publishable_api_key=publishable_key().token)
    eve = CustomerFactory(email="eve@example.com")
    UserFactory(email="ann@example.com")
    sign_in = "mutation ($input: SignInInput!) { login(input: $input) { token } }"
    for email, more, refused in [
        ("ann@example.com", {}, "Invalid email or password"),
        ("eve@example.com", {"actorType": "user"}, "Invalid email or password"),
        ("ann@example.com", {"actorType": "robot"}, "'robot' of field 'actor_type' cannot sign in"),
    ]:
        answer = ask(storefront, sign_in, {"input": {"email": email, "password": PASSWORD, **more}})
        assert [message for _, message, _ in failures(answer)] == [refused]
    answer = ask(storefront, sign_in, {"input": {"email": "eve@example.com", "password": PASSWORD}})
    assert jwt.decode(data(answer)["login"]["token"], options={"verify_signature": False})["actor_id"] == eve.pk


def test_changes_answer_the_customer(caller: Caller, eve: Customer) -> None:
    first, second = AddressFactory.create_batch(2, customer=eve)
    answer = ask(
        caller, 'mutation { updateCustomer(input: {phone: "1", metadata: {a: 1}}) { customer { phone metadata } } }'
    )
    assert data(answer)["updateCustomer"]["customer"] == {"phone": "1", "metadata": {"a": 1}}
    update = """mutation ($id: ID!, $input: AddressInput) {
      updateAddress(id: $id, input: $input) { customer { default: defaultShippingAddressId } }
    }"""
    for address in (first, second):
        shown = data(ask(caller, update, {"id": address.pk, "input": {"isDefaultShipping": True}}))
        assert shown["updateAddress"]["customer"] == {"default": address.pk}
    remove = "mutation ($id: ID!) { deleteAddress(id: $id) { id object deleted parent { id addresses { id } } } }"
    assert data(ask(caller, remove, {"id": second.pk}))["deleteAddress"] == {
        "id": second.pk,
        "object": "address",
        "deleted": True,
        "parent": {"id": eve.pk, "addresses": [{"id": first.pk}]},
    }
    assert list(CustomerAddress.objects.all()) == [first]


@pytest.mark.parametrize(
    "field", ['updateAddress(id: $id, input: {city: "Ulm"}) { customer { id } }', "deleteAddress(id: $id) { deleted }"]
)
def test_another_customers_address_is_no_address(caller: Caller, field: str) -> None:
    theirs = AddressFactory()
    before = CustomerAddress.objects.values().get()
    answer = ask(caller, f"mutation ($id: ID!) {{ {field} }}", {"id": theirs.pk})
    assert failures(answer) == [
        (field.partition("(")[0], f"Address with id: {theirs.pk} was not found", {"type": "not_found"})
    ]
    assert CustomerAddress.objects.values().get() == before


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ('city: "a\\nb"', "Value for field 'city' must not contain control characters"),
        (
            f'city: "{"e" * 5000}"',
            "Invalid request: Value for field 'city' too big, expected at most: '255' characters",
        ),
        ('countryCode: "zz"', "'zz' of field 'country_code' is not an ISO 3166-1 country code"),
    ],
)
def test_what_rest_refuses_is_refused(caller: Caller, given: str, message: str) -> None:
    answer = ask(caller, f"mutation {{ createAddress(input: {{{given}}}) {{ customer {{ id }} }} }}")
    assert failures(answer) == [("createAddress", message, {"type": "invalid_data"})]
    assert not CustomerAddress.objects.exists()


def test_an_idempotency_key_makes_one_address(caller: Caller) -> None:
    add = 'mutation { createAddress(input: {city: "Ulm"}) { customer { addresses { id } } } }'
    first, second = (ask(caller, add, Idempotency_Key="k" * 20) for _ in range(2))
    assert (second.content, second["Idempotent-Replayed"]) == (first.content, "true")
    assert CustomerAddress.objects.count() == 1


def test_a_password_is_set_again_by_mail(eve: Customer) -> None:
    storefront = Caller(x_publishable_api_key=publishable_key().token)
    asked = 'mutation { requestPasswordReset(input: {identifier: "%s"}) { success } }'
    for email in ("eve@example.com", "nobody@example.com"):
        assert data(ask(storefront, asked % email))["requestPasswordReset"] == {"success": True}
    send_due()
    token = str(mail.outbox[0].body).split("\n  ")[1].split("\n")[0]
    update = "mutation ($input: PasswordUpdateInput!) { updatePassword(input: $input) { success } }"
    given: dict[str, Any] = {"input": {"token": token, "password": "lapsang, no sugar, 1912"}}
    before = signed_in(eve)
    assert data(ask(storefront, update, given))["updatePassword"] == {"success": True}
    assert failures(ask(storefront, update, given)) == [("updatePassword", "Invalid token", {"type": "unauthorized"})]
    assert before.get("/store/customers/me").status_code == 401
