"""Regions, currencies, locales, sales channels and the store, as programs maintain them."""

from typing import Any

from django.urls import path
from rest_framework.serializers import ValidationError

from kit.graphql.fields import reads
from kit.graphql.fields.rows import row_mutations, row_queries
from kit.rest.reads import List, Retrieve
from kit.rest.requests.input_fields import BooleanField, CharField, DictField, ListField
from kit.rest.requests.inputs import Input
from kit.rest.requests.row_inputs import row_input
from kit.rest.routes import reading
from kit.rest.row_endpoint import RowEndpoint, row_route, row_routes
from kit.rest.viewsets import AdminEndpoint
from kit.values.money import currency
from shop.api import resources
from shop.api.serializers import StoreCurrencySerializer
from shop.regions import regions
from shop.stores import sales_channels, store_editing
from shop.stores.supported_currencies import supported_currencies

_OF_REGIONS = {"currency_id": None, "countries": ListField(required=False), "tax_rates": None}


class RegionInput(row_input(regions.VERBS, "NewRegion", is_new=True, **_OF_REGIONS)):  # type: ignore[misc]  # made
    """A new region."""

    currency_code = CharField(help_text="ISO 4217, in any letter case.")
    automatic_taxes = BooleanField(required=False, help_text="Must be true: taxes are always calculated.")

    def validate_currency_code(self, value: str) -> str:
        return currency(value)

    def validate_automatic_taxes(self, value: bool) -> bool:
        if not value:
            raise ValidationError("Value for field 'automatic_taxes' must be true: taxes are always calculated")
        return value

    def to_internal_value(self, data: Any) -> Any:
        """Renames fields to the columns of regions."""
        values = super().to_internal_value(data)
        values.pop("automatic_taxes", None)
        if "currency_code" in values:
            values["currency_id"] = values.pop("currency_code")
        return values


class RegionChangesInput(RegionInput):
    """Changes to a region. Omitted fields are not changed."""

    name = CharField(required=False, allow_blank=False)
    currency_code = CharField(required=False, help_text="ISO 4217, in any letter case.")


_FLAGS = ("is_default", "is_tax_inclusive")
_SHOWN = frozenset(StoreCurrencySerializer().fields)


class StoreCurrencyInput(Input):
    """A currency that the store supports; what else responses show of it is ignored, as programs send it back."""

    currency_code = CharField()
    is_default = BooleanField(required=False)
    is_tax_inclusive = BooleanField(required=False)

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            data = {name: value for name, value in data.items() if name in self.fields or name not in _SHOWN}
        return super().to_internal_value(data)


class StoreChangesInput(row_input(store_editing.VERBS, "Changes", is_new=False)):  # type: ignore[misc]  # made
    """Changes to the store. Omitted fields are not changed."""

    supported_currencies = StoreCurrencyInput(
        many=True, required=False, help_text="Must be the present list: it follows from regions and prices."
    )
    supported_locales = ListField(
        required=False, child=DictField(), max_length=0, help_text="Must be empty: texts are not translated."
    )
    default_location_id = CharField(required=False, allow_null=True, max_length=0, help_text="Must be null.")

    def validate_supported_currencies(self, value: list[dict[str, Any]]) -> None:
        flags = {row.code: {name: getattr(row, name) for name in _FLAGS} for row in supported_currencies()}
        sent = {each.pop("currency_code").lower(): each for each in value}
        if {code: {**flags.get(code, {}), **each} for code, each in sent.items()} != flags:
            raise ValidationError(
                "Field 'supported_currencies' follows from regions and prices: only the present list is accepted"
            )

    def to_internal_value(self, data: Any) -> Any:
        """Leaves out what is only checked."""
        values = super().to_internal_value(data)
        return {name: value for name, value in values.items() if name in store_editing.VERBS.columns}


class Regions(RowEndpoint):
    """Regions, each with its currency and countries. One that carts or orders refer to cannot be deleted."""

    resource = resources.ADMIN_REGIONS
    verbs = regions.VERBS
    body_fields = _OF_REGIONS
    inputs = {"create": RegionInput, "update": RegionChangesInput}


class SalesChannels(RowEndpoint):
    """Sales channels. One that other rows refer to can be disabled, but not deleted."""

    resource = resources.SALES_CHANNELS
    verbs = sales_channels.VERBS


class Stores(RowEndpoint):
    """The shop's own settings: there is one store."""

    resource = resources.STORES
    verbs = store_editing.VERBS
    inputs = {"update": StoreChangesInput}


class Currencies(List, Retrieve, AdminEndpoint):
    """Currencies of ISO 4217."""

    resource = resources.CURRENCIES
    permissions = dict.fromkeys(("list", "retrieve"), "shop.view_currency")


class Locales(List, Retrieve, AdminEndpoint):
    """The language of the catalogue's texts: there is one, and no translations."""

    resource = resources.ADMIN_LOCALES
    permissions = dict.fromkeys(("list", "retrieve"), "shop.view_store")


urlpatterns = [
    *row_routes("regions", Regions),
    *row_routes("sales-channels", SalesChannels),
    path("stores", Stores.as_view({"get": "list"})),
    row_route("stores/<str:id>", Stores),
    *reading("currencies", Currencies, key="code"),
    *reading("locales", Locales, key="code"),
]


def _staff(endpoint: Any, described: str, one: str) -> dict[str, reads.ReadField]:
    resource, permission = endpoint.resource, endpoint.permissions["retrieve"]
    return {
        f"admin_{resource.plural}": reads.ListField(resource, f"{described} For staff.", permission=permission),
        f"admin_{resource.name}": reads.SingleField(resource, f"{one} For staff.", permission=permission),
    }


QUERIES = {
    **row_queries(Regions, "admin_"),
    **row_queries(SalesChannels),
    **row_queries(Stores),
    **_staff(Currencies, "Currencies of ISO 4217.", "One currency."),
    **_staff(Locales, "The language of the catalogue's texts.", "One language."),
}
MUTATIONS = {
    **row_mutations(Regions),
    **row_mutations(SalesChannels),
    "update_store": row_mutations(Stores)["update_store"],
}
