"""Customers with their addresses, and customer groups, as programs maintain them."""

from collections.abc import Collection
from dataclasses import replace
from functools import partial
from typing import cast

from django.urls import path
from rest_framework.request import Request

from customers import address_editing, customer_editing, groups
from customers.api.resources import ADDRESSES, ADMIN_CUSTOMERS, CUSTOMER_GROUPS
from customers.api.serializers import AdminDeletedAddressSerializer
from customers.errors import AddressNotFound, CustomerNotFound
from customers.models import Customer, CustomerAddress
from kit.editing.regrouping import change_groups, change_members
from kit.graphql.fields.mutations import Change, written_by
from kit.graphql.fields.rows import row_mutations, row_queries
from kit.reads.reading import ListQuery
from kit.rest.requests.input_fields import CharField, ListField
from kit.rest.requests.row_inputs import row_input
from kit.rest.row_endpoint import MembersInput, RowEndpoint, row_routes
from kit.values.json import JSONObject

_VIEWING, _CHANGING = "customers.view_customer", "customers.change_customer"
_COUNTRIES = {"tax_exempt_countries": ListField(required=False, allow_null=True, help_text="null for all.")}


class Customers(RowEndpoint):
    """Customers. Those that are created here are guests: only customers themselves can register an account."""

    resource = ADMIN_CUSTOMERS
    verbs = customer_editing.VERBS
    inputs = {
        "create": row_input(verbs, "AdminCustomerInput", is_new=True, email=CharField(), **_COUNTRIES),
        "update": row_input(
            verbs,
            "AdminCustomerChangesInput",
            is_new=False,
            email=CharField(required=False, help_text="That of an account cannot be changed."),
            **_COUNTRIES,
        ),
        "update_groups": MembersInput,
    }
    permissions = {"update_groups": _CHANGING}

    def update_groups(self, request: Request, id: str) -> JSONObject:
        """Put a customer into groups, and take them out of others."""
        change_groups(self.verbs, "groups", id, actor=self.actor, **self.body())
        return self.written(id)


class CustomerGroups(RowEndpoint):
    """Customer groups. Deleting one keeps its customers.

    A response that would contain too many customers is refused, and then nothing is changed.
    """

    resource = CUSTOMER_GROUPS
    verbs = groups.VERBS
    sent = _COUNTRIES
    inputs = {"update_customers": MembersInput}
    permissions = {"update_customers": _CHANGING}

    def update_customers(self, request: Request, id: str) -> JSONObject:
        """Put customers into a group, and take others out."""
        change_members(customer_editing.VERBS, "groups", id, actor=self.actor, **self.body())
        return self.written(id)


class Addresses(RowEndpoint):
    """The addresses of a customer. Changes are answered with the customer."""

    resource = ADDRESSES
    resources = dict.fromkeys(("create", "update", "destroy"), ADMIN_CUSTOMERS)
    verbs = address_editing.VERBS
    within = "customer_id"
    sent = {"customer_id": None}
    answers = {"destroy": AdminDeletedAddressSerializer}
    permissions = {"list": _VIEWING, "retrieve": _VIEWING}

    @classmethod
    def offered(cls, action: str) -> Collection[str]:
        """The answer to a deletion contains the customer."""
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
    path("customers/<str:id>/customer-groups", Customers.as_view({"post": "update_groups"})),
    path(_PATH, Addresses.as_view({"get": "list", "post": "create"})),
    path(
        f"{_PATH}/<str:address_id>",
        Addresses.as_view({"get": "retrieve", "post": "update", "delete": "destroy"}),
    ),
    *row_routes("customer-groups", CustomerGroups),
    path("customer-groups/<str:id>/customers", CustomerGroups.as_view({"post": "update_customers"})),
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
    "admin_update_customer_groups": Change(
        Customers.resource,
        "Put a customer into groups, and take them out of others.",
        act=written_by(partial(change_groups, Customers.verbs, "groups"), "id"),
        permission=_CHANGING,
        viewing=_VIEWING,
        input=MembersInput,
    ),
    "update_customer_group_customers": Change(
        CustomerGroups.resource,
        "Put customers into a group, and take others out.",
        act=written_by(partial(change_members, Customers.verbs, "groups"), "group_id"),
        permission=_CHANGING,
        viewing=CustomerGroups.permissions["retrieve"],
        input=MembersInput,
    ),
}
