"""Customers with their addresses, and customer groups, as programs maintain them."""

from dataclasses import replace
from typing import cast

from django.urls import path
from rest_framework.request import Request

from customers import address_editing, customer_editing, groups
from customers.api.resources import ADDRESSES, ADMIN_CUSTOMERS, CUSTOMER_GROUPS
from customers.api.serializers import AdminDeletedAddressSerializer
from kit.editing.regrouping import Members
from kit.graphql.fields.mutations import Change
from kit.graphql.fields.rows import row_mutations, row_queries
from kit.rest.nested_endpoint import NestedEndpoint
from kit.rest.requests.input_fields import CharField, ListField
from kit.rest.requests.row_inputs import row_input
from kit.rest.row_endpoint import RowEndpoint, row_route, row_routes
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
    body_fields = _COUNTRIES
    members = {"customers": Members(customer_editing.VERBS, "groups", "Add customers to a group, and remove others.")}


class Addresses(NestedEndpoint):
    """The addresses of a customer, which are deleted permanently. Responses to changes contain the customer."""

    resource = ADDRESSES
    verbs = address_editing.VERBS
    within = "customer_id"
    parent = ADMIN_CUSTOMERS
    parent_key = "customer"
    body_fields = {"customer_id": None}
    answers = {"destroy": AdminDeletedAddressSerializer}
    permissions = {"list": _VIEWING, "retrieve": _VIEWING}

    def list(self, request: Request, id: str) -> JSONObject:  # type: ignore[override]  # the path names the customer
        """List the addresses of a customer."""
        self.nested.require_parent(id)
        return super().list(request)


_PATH = "customers/<str:id>/addresses"
urlpatterns = [
    *row_routes("customers", Customers),
    path(_PATH, Addresses.as_view({"get": "list", "post": "create"})),
    row_route(f"{_PATH}/<str:address_id>", Addresses),
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
