"""The serializers and inputs of customers and their addresses."""

from django.db.models import OuterRef, Subquery
from rest_framework import serializers

from customers.models import Customer, CustomerAddress, CustomerGroup
from kit.reads.declarations.computed import SqlField
from kit.reads.declarations.fields import ResourceSerializer, ToMany
from kit.reads.declarations.records import DatedSerializer, MetadataSerializer, RecordSerializer
from kit.rest.requests.input_fields import BooleanField, CharField, DictField
from kit.rest.requests.inputs import Input
from kit.rest.responses.answers import DeletedSerializer
from shop.api.serializers import PlaceSerializer, PostalAddressInput


class AddressSerializer(PlaceSerializer, MetadataSerializer, DatedSerializer):
    """An address of a customer."""

    id = serializers.CharField()
    address_name = serializers.CharField(allow_null=True)
    is_default_shipping = serializers.BooleanField()
    is_default_billing = serializers.BooleanField()
    customer_id = serializers.CharField()
    company = serializers.CharField(allow_null=True)
    first_name = serializers.CharField(allow_null=True)
    last_name = serializers.CharField(allow_null=True)

    class Meta:
        model = CustomerAddress


def _default(flag: str) -> SqlField:
    """The id of the address with that flag; a unique index allows at most one."""
    flagged = CustomerAddress.objects.filter(customer_id=OuterRef("pk"), deleted_at=None, **{flag: True})
    return SqlField(serializers.CharField(allow_null=True), expression=Subquery(flagged.values("pk")[:1]))


class CustomerSerializer(RecordSerializer):
    """A customer. The default address ids follow from the addresses' flags."""

    id = serializers.CharField()
    email = serializers.EmailField(allow_null=True)
    default_billing_address_id = _default("is_default_billing")
    default_shipping_address_id = _default("is_default_shipping")
    company_name = serializers.CharField(allow_null=True)
    first_name = serializers.CharField(allow_null=True)
    last_name = serializers.CharField(allow_null=True)
    phone = serializers.CharField(allow_null=True)
    tax_number = serializers.CharField(allow_null=True)
    has_account = serializers.BooleanField()
    addresses = ToMany(lambda: AddressSerializer, key="customer_id")

    class Meta:
        model = Customer
        by_request = frozenset({"tax_number"})


class TaxExemptionSerializer(ResourceSerializer):
    """Exemption from taxes."""

    is_tax_exempt = serializers.BooleanField()
    tax_exempt_countries = serializers.ListField(
        child=serializers.CharField(),
        allow_null=True,
        help_text="ISO 3166-1 alpha-2, lower-case; null for all countries.",
    )
    tax_exempt_until = serializers.DateField(allow_null=True, help_text="The last day; null if it does not end.")


class AdminCustomerSerializer(CustomerSerializer, TaxExemptionSerializer):
    """A customer, for staff."""

    note = serializers.CharField(allow_null=True, help_text="A note for staff.")
    groups = ToMany(lambda: CustomerGroupSerializer, key="customers", inverse="customers", order=("name",))

    class Meta:
        model = Customer


class CustomerGroupSerializer(TaxExemptionSerializer, RecordSerializer):
    """A group of customers."""

    id = serializers.CharField()
    name = serializers.CharField()
    customers = ToMany(lambda: AdminCustomerSerializer, key="groups", inverse="groups")

    class Meta:
        model = CustomerGroup


class CustomerDetailsInput(Input):
    """A customer's details; null clears a field."""

    company_name = CharField(required=False, allow_null=True)
    first_name = CharField(required=False, allow_null=True)
    last_name = CharField(required=False, allow_null=True)
    phone = CharField(required=False, allow_null=True)
    metadata = DictField(required=False, allow_null=True)


class CustomerInput(CustomerDetailsInput):
    """A new customer. The email must be the registered one, and may be left out."""

    email = CharField(required=False, allow_null=True)


class AddressInput(PostalAddressInput):
    """An address; null clears a field."""

    address_name = CharField(required=False, allow_null=True)
    is_default_shipping = BooleanField(
        required=False, help_text="true makes it the customer's only default for shipping."
    )
    is_default_billing = BooleanField(
        required=False, help_text="true makes it the customer's only default for billing."
    )


class DeletedAddressSerializer(DeletedSerializer):
    """The deleted address, and the customer without it."""

    parent = CustomerSerializer()


class AdminDeletedAddressSerializer(DeletedSerializer):
    """The deleted address, and the customer without it."""

    customer = AdminCustomerSerializer()
