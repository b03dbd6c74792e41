"""The customers' resources, shared by REST and GraphQL."""

from dataclasses import replace

from customers.api.filters import AddressFilters, CustomerFilters, CustomerGroupFilters
from customers.api.serializers import (
    AddressSerializer,
    AdminCustomerSerializer,
    CustomerGroupSerializer,
    CustomerSerializer,
)
from kit.reads.declarations.fields import Relation
from kit.reads.resources import Resource

CUSTOMERS = Resource(
    name="customer",
    plural="customers",
    serializer_class=CustomerSerializer,
    filterset_class=CustomerFilters,
    default_limit=50,
    defaults="*addresses",
)
_SCALARS = {name for name, field in CustomerSerializer._declared_fields.items() if not isinstance(field, Relation)}
ADDRESS_BOOKS = replace(CUSTOMERS, offered=frozenset(_SCALARS | {"addresses"}))
"""The customer in answers to changes of an address: only scalars and addresses."""
ADDRESSES = Resource(
    name="address",
    plural="addresses",
    serializer_class=AddressSerializer,
    filterset_class=AddressFilters,
    default_limit=50,
)
ADMIN_CUSTOMERS = replace(CUSTOMERS, serializer_class=AdminCustomerSerializer)
CUSTOMER_GROUPS = Resource(
    name="customer_group",
    plural="customer_groups",
    serializer_class=CustomerGroupSerializer,
    filterset_class=CustomerGroupFilters,
    default_limit=20,
    defaults="*customers",
)
