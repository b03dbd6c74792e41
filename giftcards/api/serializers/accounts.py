"""Store credit accounts and their sources of credit."""

from django.db.models import F
from rest_framework import serializers

from customers.api.serializers import CustomerSerializer
from giftcards.models import StoreCreditAccount, TransactionGroup
from kit.reads.declarations.computed import MoneyValue, SqlField
from kit.reads.declarations.fields import ResourceSerializer, ResourceSerializerClass, ToMany, ToOne
from kit.reads.declarations.records import DatedSerializer, MetadataSerializer


def _account() -> ResourceSerializerClass:
    return StoreCreditAccountSerializer


def _customer() -> ResourceSerializerClass:
    return CustomerSerializer


def _group() -> ResourceSerializerClass:
    return TransactionGroupSerializer


class BalanceSerializer(ResourceSerializer):
    """Credits, debits and balance in major units."""

    credits = MoneyValue()
    debits = MoneyValue()
    balance = SqlField(MoneyValue(), expression=F("credits") - F("debits"))


class TransactionGroupSerializer(MetadataSerializer, BalanceSerializer, DatedSerializer):
    """The entries of one source of credit: a gift card, an adjustment or a refund."""

    id = serializers.CharField()
    code = serializers.CharField(help_text="Names the source: `gift_card:gcard_…`.")
    account = ToOne(_account, key="account_id")

    class Meta:
        model = TransactionGroup


class StoreCreditAccountSerializer(MetadataSerializer, BalanceSerializer, DatedSerializer):
    """A customer's store credit in one currency."""

    id = serializers.CharField()
    customer_id = serializers.CharField(allow_null=True)
    currency_code = serializers.CharField(source="currency_id")
    customer = ToOne(_customer, key="customer_id", allow_null=True)
    transaction_groups = ToMany(_group, key="account_id", inverse="account")

    class Meta:
        model = StoreCreditAccount


STORE_CREDIT_ACCOUNTS_OF_CUSTOMER = ToMany(_account, key="customer_id", inverse="customer")
"""The relation that the customer's serializer gets."""
