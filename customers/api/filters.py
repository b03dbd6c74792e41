"""The filters of the customers' routes."""

from kit.reads.filters.filtering import RecordFilters, ResourceFilterSet
from kit.reads.filters.filters import SearchFilter, TextFilter


class AddressFilters(RecordFilters):
    """A customer's addresses, by their texts and their place."""

    q = SearchFilter(
        columns=(
            *("address_name", "company", "first_name", "last_name"),
            *("address_1", "address_2", "city", "province", "postal_code"),
        )
    )
    city = TextFilter(nullable=True)
    country_code = TextFilter(nullable=True)
    postal_code = TextFilter(nullable=True)


class CustomerFilters(ResourceFilterSet):
    """No filters, since only the admin site lists customers."""
