"""Customers and their addresses as answers show them, and what may be sent to change them."""

from collections.abc import Sequence
from typing import Any

from django.db.models import OuterRef, Subquery
from rest_framework import serializers

from commerce.kit.api.answers import DeletedSerializer
from commerce.kit.api.input_fields import BooleanField, CharField, DictField
from commerce.kit.api.inputs import Input
from commerce.kit.projection.computed import Batch, BatchRelation, SqlField
from commerce.kit.projection.fields import ResourceSerializer, ResourceSerializerClass, ToMany
from commerce.kit.projection.records import DatedSerializer, MetadataSerializer, RecordSerializer
from commerce.shop.api.serializers import PlaceSerializer, PostalAddressInput
from customers.models import Customer, CustomerAddress


class AddressSerializer(PlaceSerializer, MetadataSerializer, DatedSerializer):
    """An address of a customer's book."""

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


class OrderSerializer(ResourceSerializer):
    """An order. Orders are not built yet, so that no answer holds one."""

    id = serializers.CharField()


def _address() -> ResourceSerializerClass:
    return AddressSerializer


def _order() -> ResourceSerializerClass:
    return OrderSerializer


def _no_orders(batch: Batch) -> Sequence[Any]:
    return [[] for _ in batch.rows]


def _default(flag: str) -> SqlField:
    """The id of the living address with that flag; an index holds that there is one at most."""
    flagged = CustomerAddress.objects.filter(customer_id=OuterRef("pk"), deleted_at=None, **{flag: True})
    return SqlField(serializers.CharField(allow_null=True), expression=Subquery(flagged.values("pk")[:1]))


class CustomerSerializer(RecordSerializer):
    """A customer. The two default addresses are told by the addresses' own flags."""

    id = serializers.CharField()
    email = serializers.EmailField(allow_null=True)
    default_billing_address_id = _default("is_default_billing")
    default_shipping_address_id = _default("is_default_shipping")
    company_name = serializers.CharField(allow_null=True)
    first_name = serializers.CharField(allow_null=True)
    last_name = serializers.CharField(allow_null=True)
    phone = serializers.CharField(allow_null=True)
    has_account = serializers.BooleanField()
    addresses = ToMany(_address, key="customer_id")
    orders = BatchRelation(_order, columns=("id",), load=_no_orders, many=True)

    class Meta:
        model = Customer


class CustomerDetailsInput(Input):
    """What a customer says of themselves; null empties a field."""

    company_name = CharField(required=False, allow_null=True)
    first_name = CharField(required=False, allow_null=True)
    last_name = CharField(required=False, allow_null=True)
    phone = CharField(required=False, allow_null=True)
    metadata = DictField(required=False, allow_null=True)


class CustomerInput(CustomerDetailsInput):
    """A new customer. The e-mail is the one that was registered, and may be left out."""

    email = CharField(required=False, allow_null=True)


class AddressInput(PostalAddressInput):
    """An address; null empties a field."""

    address_name = CharField(required=False, allow_null=True)
    is_default_shipping = BooleanField(required=False, help_text="Whether it is the only default for shipping.")
    is_default_billing = BooleanField(required=False, help_text="Whether it is the only default for billing.")


class DeletedAddressSerializer(DeletedSerializer):
    """What was deleted, and the customer as they now are."""

    parent = CustomerSerializer()
