"""Customers for tests, and their addresses."""

from typing import Any

import factory

from auth.account_types import actors
from auth.models import AuthIdentity
from auth.tokens.tokens import issue
from customers.models import Customer, CustomerAddress, CustomerGroup
from kit.domain.actor import Actor
from tests.factories.staff import PASSWORD, hashed


class CustomerFactory(factory.django.DjangoModelFactory[Customer]):
    """A customer who can sign in with PASSWORD; has_account=False makes a guest."""

    email = factory.Sequence(lambda number: f"customer{number}@example.com")
    has_account = True
    first_name = "Ann"
    last_name = "Lee"

    class Meta:
        model = Customer
        skip_postgeneration_save = True

    @factory.post_generation
    def identity(self: Customer, create: bool, extracted: Any, **_: Any) -> None:
        if self.has_account:
            AuthIdentity.objects.create(email=self.email or "", password=hashed(PASSWORD), customer_id=self.pk)


class AddressFactory(factory.django.DjangoModelFactory[CustomerAddress]):
    """An address of the customer."""

    customer = factory.SubFactory(CustomerFactory)
    first_name = "Ann"
    last_name = "Lee"
    address_1 = factory.Sequence(lambda number: f"{number} Elm Street")
    city = "New York"
    country_code = "us"
    province = "us-ny"
    postal_code = "10001"

    class Meta:
        model = CustomerAddress


class CustomerGroupFactory(factory.django.DjangoModelFactory[CustomerGroup]):
    """A group without customers."""

    name = factory.Sequence(lambda number: f"Group {number}")

    class Meta:
        model = CustomerGroup


class IdentityFactory(factory.django.DjangoModelFactory[AuthIdentity]):
    """A registration that is not finished."""

    email = factory.Sequence(lambda number: f"newcomer{number}@example.com")
    password = factory.LazyFunction(lambda: hashed(PASSWORD))

    class Meta:
        model = AuthIdentity


def customer_actor(customer: Customer) -> Actor:
    """The customer as an actor, as their sign-in gives it."""
    identity = AuthIdentity.objects.get(customer_id=customer.pk)
    return Actor(type="customer", id=customer.pk, identity=identity.pk)


def token_of(customer: Customer) -> str:
    """A token as a login gives it, without the slow hashing of a login."""
    return registration_token(AuthIdentity.objects.get(customer_id=customer.pk))


def registration_token(identity: AuthIdentity) -> str:
    """A token as registering gives it; once the registration is finished, as a login does."""
    account = actors.resolve("customer", identity.pk, identity.stamp)
    assert account is not None
    return issue(account)
