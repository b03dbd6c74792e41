"""The filters of the catalogue, of price lists and of stock, for staff."""

from catalog.api.filters import OF_VARIANTS, ProductCategoryFilters, ProductFilters
from catalog.states import PriceListStatus, ProductStatus
from kit.reads.filters.filtering import RecordFilters
from kit.reads.filters.filters import (
    ChoiceFilter,
    CodeFilter,
    DateFilter,
    FlagFilter,
    ObjectFilter,
    SearchFilter,
    TextFilter,
    UnusedTextFilter,
)
from kit.reads.filters.number_filters import NumberFilter


class AdminProductCategoryFilters(ProductCategoryFilters):
    """Categories, also by where they are shown."""

    is_active = FlagFilter()
    is_internal = FlagFilter()


class AdminProductFilters(ProductFilters):
    """Products, also by their status and by price lists."""

    status = ChoiceFilter(choices=tuple(ProductStatus.values))
    categories = TextFilter(field_name="id", through="categories")
    option_id = TextFilter(field_name="id", through="options")
    price_list_id = TextFilter(through="variants.price_set.prices")
    variants = ObjectFilter(
        members={
            **OF_VARIANTS,
            "id": TextFilter(field_name="id"),
            **{name: DateFilter(field_name=name) for name in ("created_at", "updated_at", "deleted_at")},
        },
        through="variants",
    )


class PriceListFilters(RecordFilters):
    """Price lists, also by when they are valid."""

    q = SearchFilter(columns=("title", "description"))
    status = ChoiceFilter(choices=tuple(PriceListStatus.values))
    starts_at = DateFilter()
    ends_at = DateFilter()


class PriceFilters(RecordFilters):
    """Prices."""

    price_list_id = TextFilter(nullable=True)
    variant_id = TextFilter(field_name="price_set__variant")
    currency_code = CodeFilter(field_name="currency_id")


class InventoryItemFilters(RecordFilters):
    """Inventory items, also by where they are stocked."""

    q = SearchFilter(columns=("sku", "title"))
    sku = TextFilter(nullable=True)
    title = TextFilter()
    origin_country = TextFilter(nullable=True)
    hs_code = TextFilter(nullable=True)
    mid_code = TextFilter(nullable=True)
    material = TextFilter(nullable=True)
    requires_shipping = FlagFilter()
    location_levels = ObjectFilter(members={"location_id": TextFilter(field_name="location_id")}, through="levels")


class InventoryLevelFilters(RecordFilters):
    """Stock levels."""

    inventory_item_id = TextFilter()
    location_id = TextFilter()


class ReservationFilters(RecordFilters):
    """Reservations."""

    q = SearchFilter(columns=("description", "inventory_item__sku", "inventory_item__title"))
    inventory_item_id = TextFilter()
    location_id = TextFilter()
    line_item_id = TextFilter(nullable=True)
    description = TextFilter()
    quantity = NumberFilter()
    created_by = UnusedTextFilter()
