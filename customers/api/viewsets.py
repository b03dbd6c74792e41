"""The customers' routes."""

from collections.abc import Collection
from dataclasses import replace

from rest_framework.request import Request

from customers import address_book
from customers.api.resources import ADDRESS_BOOKS, ADDRESSES, CUSTOMERS
from customers.api.serializers import AddressInput, CustomerDetailsInput, CustomerInput, DeletedAddressSerializer
from customers.profile import change_details
from customers.registration import create_customer
from kit.rest.reads import List, Retrieve
from kit.rest.storage_limits import a_row
from kit.rest.viewsets import CustomerEndpoint
from kit.rest.writes import WriteEndpoint
from kit.values.json import JSONObject


class Customers(WriteEndpoint, CustomerEndpoint):
    """New customers."""

    resource = CUSTOMERS
    inputs = {"create": CustomerInput}
    adds = {"create": a_row}
    takes_registration = True

    def create(self, request: Request) -> JSONObject:
        """Create a customer with the token of a registration."""
        customer = create_customer(actor=self.actor, **self.body())
        reader = replace(self.actor, id=customer.pk)
        return {self.resource.name: self.read(customer.pk, actor=reader)}


class Me(WriteEndpoint, CustomerEndpoint):
    """The signed-in customer."""

    resource = CUSTOMERS
    inputs = {"update": CustomerDetailsInput}

    def retrieve(self, request: Request) -> JSONObject:
        """Get the customer, with their addresses."""
        return self.written(self.customer_id)

    def update(self, request: Request) -> JSONObject:
        """Update the customer's details. The email cannot be changed."""
        change_details(actor=self.actor, customer_id=self.customer_id, **self.body())
        return self.written(self.customer_id)


class Addresses(List, Retrieve, WriteEndpoint, CustomerEndpoint):
    """The signed-in customer's addresses. Changes are answered with the customer."""

    resource = ADDRESSES
    resources = {"create": ADDRESS_BOOKS, "update": ADDRESS_BOOKS, "destroy": ADDRESS_BOOKS}
    inputs = {"create": AddressInput, "update": AddressInput}
    adds = {"create": a_row}
    answers = {"destroy": DeletedAddressSerializer}

    @classmethod
    def offered(cls, action: str) -> Collection[str]:
        """The answer to a deletion contains the customer."""
        return ("fields",) if action == "destroy" else super().offered(action)

    def create(self, request: Request) -> JSONObject:
        """Add an address."""
        address_book.add_address(actor=self.actor, customer_id=self.customer_id, **self.body())
        return self.written(self.customer_id)

    def update(self, request: Request, address_id: str) -> JSONObject:
        """Update an address. A new default replaces the customer's previous default."""
        address_book.change_address(
            actor=self.actor, customer_id=self.customer_id, address_id=address_id, **self.body()
        )
        return self.written(self.customer_id)

    def destroy(self, request: Request, address_id: str) -> JSONObject:
        """Delete an address permanently."""
        address_book.remove_address(actor=self.actor, customer_id=self.customer_id, address_id=address_id)
        parent = self.read(self.customer_id, actor=self.actor)
        return {**self.deleted(address_id), "parent": parent}
