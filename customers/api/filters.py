"""The filters of the customers' routes. Source: behaviour.md 3.3, 8.3."""

from commerce.kit.core.filtering import RecordFilters, ResourceFilterSet
from commerce.kit.core.filters import SearchFilter, TextFilter


class AddressFilters(RecordFilters):
    """Source: behaviour.md 8.3, GET /store/customers/me/addresses."""

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
