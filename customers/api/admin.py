"""Customers with their addresses, and customer groups, as programs maintain them."""

from collections.abc import Collection
from dataclasses import replace
from typing import cast

from django.urls import path
from rest_framework.request import Request

from customers import address_editing, customer_editing, groups
from customers.api.resources import ADDRESSES, ADMIN_CUSTOMERS, CUSTOMER_GROUPS
from customers.api.serializers import AdminDeletedAddressSerializer
from customers.errors import AddressNotFound, CustomerNotFound
from customers.models import Customer, CustomerAddress
from kit.editing.regrouping import Members
from kit.graphql.fields.mutations import Change
from kit.graphql.fields.rows import row_mutations, row_queries
from kit.reads.reading import ListQuery
from kit.rest.requests.input_fields import CharField, ListField
from kit.rest.requests.row_inputs import row_input
from kit.rest.row_endpoint import RowEndpoint, row_routes
from kit.values.json import JSONObject

_VIEWING = "customers.view_customer"
_COUNTRIES = {
    "tax_exempt_countries": ListField(
        required=False, allow_null=True, help_text="ISO 3166-1 alpha-2; null for all countries."
    )
}


class Customers(RowEndpoint):
    """Customers. New ones are guests: only customers themselves can register an account."""

    resource = ADMIN_CUSTOMERS
    verbs = customer_editing.VERBS
    inputs = {
        "create": row_input(verbs, "AdminCustomerInput", is_new=True, email=CharField(), **_COUNTRIES),
        "update": row_input(
            verbs,
            "AdminCustomerChangesInput",
            is_new=False,
            email=CharField(required=False, help_text="The email of an account cannot be changed."),
            **_COUNTRIES,
        ),
    }
    members = {
        "groups": Members(
            verbs,
            "groups",
            "Add a customer to groups, and remove them from others.",
            of_row=True,
            path="customer-groups",
        )
    }


class CustomerGroups(RowEndpoint):
    """Customer groups. Deleting one keeps its customers.

    A request whose response would contain too many customers is refused, and changes nothing.
    """

    resource = CUSTOMER_GROUPS
    verbs = groups.VERBS
    sent = _COUNTRIES
    members = {"customers": Members(customer_editing.VERBS, "groups", "Add customers to a group, and remove others.")}


class Addresses(RowEndpoint):
    """The addresses of a customer. Responses to changes contain the customer."""

    resource = ADDRESSES
    resources = dict.fromkeys(("create", "update", "destroy"), ADMIN_CUSTOMERS)
    verbs = address_editing.VERBS
    within = "customer_id"
    sent = {"customer_id": None}
    answers = {"destroy": AdminDeletedAddressSerializer}
    permissions = {"list": _VIEWING, "retrieve": _VIEWING}

    @classmethod
    def offered(cls, action: str) -> Collection[str]:
        """The response to a deletion contains the customer."""
        return ("fields",) if action == "destroy" else super().offered(action)

    def inside(self, query: ListQuery) -> ListQuery:
        return query if self.action in self.resources else super().inside(query)

    def list(self, request: Request, id: str) -> JSONObject:  # type: ignore[override]  # the path names the customer
        """List the addresses of a customer."""
        _require_customer(id)
        return super().list(request)

    def create(self, request: Request, id: str) -> JSONObject:  # type: ignore[override]  # as above
        """Add an address of a customer. A new default replaces the previous one."""
        _require_customer(id)
        self.verbs.create(actor=self.actor, customer_id=id, **self.body())
        return self.written(id)

    def update(self, request: Request, id: str, address_id: str) -> JSONObject:  # type: ignore[override]  # as above
        """Change an address of a customer. Omitted fields are not changed, and metadata is merged."""
        _require_address(id, address_id)
        self.verbs.update(actor=self.actor, id=address_id, version=self._version(), **self.body())
        return self.written(id)

    def destroy(self, request: Request, id: str, address_id: str) -> JSONObject:  # type: ignore[override]  # as above
        """Delete an address of a customer permanently."""
        _require_address(id, address_id)
        self.verbs.delete(actor=self.actor, ids=[address_id], version=self._version())
        return {**self.deleted(address_id), **self.written(id)}


def _require_customer(id: str) -> None:
    if Customer.objects.not_deleted().with_id(id) is None:
        raise CustomerNotFound(id)


def _require_address(customer_id: str, id: str) -> None:
    address = CustomerAddress.objects.not_deleted().with_id(id)
    if address is None or address.customer_id != customer_id:
        raise AddressNotFound(id)


_PATH = "customers/<str:id>/addresses"
urlpatterns = [
    *row_routes("customers", Customers),
    path(_PATH, Addresses.as_view({"get": "list", "post": "create"})),
    path(
        f"{_PATH}/<str:address_id>",
        Addresses.as_view({"get": "retrieve", "post": "update", "delete": "destroy"}),
    ),
    *row_routes("customer-groups", CustomerGroups),
]
_ADDRESS_MUTATIONS = row_mutations(Addresses)
del _ADDRESS_MUTATIONS["batch_addresses"]
QUERIES = {**row_queries(Customers, "admin_"), **row_queries(Addresses, "admin_"), **row_queries(CustomerGroups)}
MUTATIONS = {
    **{f"admin_{name}": each for name, each in {**row_mutations(Customers), **_ADDRESS_MUTATIONS}.items()},
    "admin_create_address": replace(
        cast("Change", _ADDRESS_MUTATIONS["create_address"]),
        input=row_input(Addresses.verbs, "AdminAddressInput", is_new=True),
    ),
    **row_mutations(CustomerGroups),
}
