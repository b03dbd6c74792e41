"""Customers in GraphQL: the signed-in customer's own data, and all of them for staff."""

from dataclasses import replace
from functools import partial
from typing import Unpack

from customers import address_book
from customers.address_details import AddressDetails
from customers.api import admin
from customers.api.resources import ADDRESS_BOOKS, ADDRESSES, CUSTOMERS
from customers.api.serializers import AddressInput, CustomerDetailsInput, CustomerInput, DeletedAddressSerializer
from customers.details import Details
from customers.profile import change_details
from customers.registration import create_customer
from kit.domain.actor import Actor
from kit.graphql.context import RequestContext
from kit.graphql.fields.mutations import Change, Removal, Written
from kit.graphql.fields.reads import ListField, OwnField, SingleField
from kit.rest.storage_limits import a_row

_change = partial(Change, CUSTOMERS, who=RequestContext.customer)


def _create(*, actor: Actor, email: str | None = None, **details: Unpack[Details]) -> Written:
    customer = create_customer(actor=actor, email=email, **details)
    return Written(customer.pk, reader=replace(actor, id=customer.pk))


def _update(*, actor: Actor, **details: Unpack[Details]) -> Written:
    return Written(change_details(actor=actor, customer_id=_id(actor), **details).pk)


def _add_address(*, actor: Actor, **details: Unpack[AddressDetails]) -> Written:
    return Written(address_book.add_address(actor=actor, customer_id=_id(actor), **details).customer_id)


def _change_address(*, actor: Actor, id: str, **details: Unpack[AddressDetails]) -> Written:
    address = address_book.change_address(actor=actor, customer_id=_id(actor), address_id=id, **details)
    return Written(address.customer_id)


def _remove_address(*, actor: Actor, id: str) -> Written:
    address_book.remove_address(actor=actor, customer_id=_id(actor), address_id=id)
    return Written(_id(actor))


def _id(actor: Actor) -> str:
    assert actor.id is not None  # noqa: S101 - a signed-in customer has an id
    return actor.id


QUERIES = {
    "me": OwnField(CUSTOMERS, "The signed-in customer.", who=RequestContext.customer),
    "addresses": ListField(ADDRESSES, "The customer's addresses.", who=RequestContext.customer),
    "address": SingleField(ADDRESSES, "One of the customer's addresses.", who=RequestContext.customer),
    **admin.QUERIES,
}
MUTATIONS = {
    "create_customer": Change(
        CUSTOMERS,
        "Create the customer of a registration, with the token from `register`.",
        act=_create,
        input=CustomerInput,
        by_id=False,
        who=RequestContext.registrant,
        adds=a_row,
    ),
    "update_customer": _change(
        "Update the customer's details. The email cannot be changed.",
        act=_update,
        input=CustomerDetailsInput,
        by_id=False,
    ),
    "create_address": _change("Add an address.", act=_add_address, input=AddressInput, by_id=False, adds=a_row),
    "update_address": _change(
        "Update an address. A new default replaces the customer's previous default.",
        act=_change_address,
        input=AddressInput,
    ),
    "delete_address": Removal(
        DeletedAddressSerializer,
        object=ADDRESSES.name,
        parent=ADDRESS_BOOKS,
        description="Delete an address permanently.",
        act=_remove_address,
        who=RequestContext.customer,
    ),
    **admin.MUTATIONS,
}
