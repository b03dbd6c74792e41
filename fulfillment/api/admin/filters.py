"""The filters of stock locations and shipping, for staff."""

from fulfillment.options.rule_attributes import ENABLED_IN_STORE, IS_RETURN
from kit.query.conditions import Condition, Every, Is, Not, through
from kit.reads.filters.filtering import RecordFilters, ResourceFilterSet
from kit.reads.filters.filters import FlagFilter, SearchFilter, TextFilter
from kit.reads.filters.id_filter import IdFilter


class StockLocationFilters(RecordFilters):
    """Stock locations, by their name and sales channels."""

    q = SearchFilter(columns=("name",))
    name = TextFilter()
    address_id = TextFilter(nullable=True)
    sales_channel_id = TextFilter(field_name="id", through="sales_channels")


class FulfillmentProviderFilters(ResourceFilterSet):
    """Providers, by the locations that they are offered for."""

    id = IdFilter()
    q = SearchFilter(columns=("id",))
    is_enabled = FlagFilter()
    stock_location_id = TextFilter(field_name="id", through="stock_locations")


class ShippingProfileFilters(RecordFilters):
    """Shipping profiles."""

    q = SearchFilter(columns=("name", "type"))
    name = TextFilter()
    type = TextFilter()


class ShippingOptionTypeFilters(RecordFilters):
    """Types of shipping options."""

    q = SearchFilter(columns=("label", "code", "description"))
    label = TextFilter()
    code = TextFilter()
    description = TextFilter()


class RuleFilter(FlagFilter):
    """Whether the option has the rule that an attribute has a value."""

    def __init__(self, attribute: str, value: str) -> None:
        super().__init__()
        self.rule = Every((Is("attribute", attribute), Is("operator", "eq"), Is("value", value)))

    def condition(self, raw: object, *, name: str) -> Condition:
        has_rule = through("rules", self.rule)
        return has_rule if super().condition(raw, name=name) == Is(self.column, value=True) else Not(has_rule)


class AdminShippingOptionFilters(RecordFilters):
    """Shipping options. admin_only: those that the store does not offer."""

    q = SearchFilter(columns=("name",))
    service_zone_id = TextFilter()
    stock_location_id = TextFilter(field_name="location_id", through="service_zone.fulfillment_set")
    shipping_profile_id = TextFilter(nullable=True)
    provider_id = TextFilter(nullable=True)
    shipping_option_type_id = TextFilter(field_name="type_id", nullable=True)
    is_return = RuleFilter(IS_RETURN, "true")
    admin_only = RuleFilter(ENABLED_IN_STORE, "false")
