"""The filters of the customers' routes."""

from typing import Any

from kit.query.conditions import Condition
from kit.reads.filters.filtering import RecordFilters
from kit.reads.filters.filters import CodeFilter, FlagFilter, SearchFilter, TextFilter


class AddressFilters(RecordFilters):
    """Addresses of customers, by their texts and their place."""

    q = SearchFilter(
        columns=(
            *("address_name", "company", "first_name", "last_name"),
            *("address_1", "address_2", "city", "province", "postal_code"),
        )
    )
    company = TextFilter(nullable=True)
    city = TextFilter(nullable=True)
    province = TextFilter(nullable=True)
    country_code = TextFilter(nullable=True)
    postal_code = TextFilter(nullable=True)


class CustomerFilters(RecordFilters):
    """Customers, by email, names and groups. Only staff list them."""

    q = SearchFilter(columns=("email", "first_name", "last_name", "company_name", "phone"))
    email = CodeFilter(nullable=True)
    company_name = TextFilter(nullable=True)
    first_name = TextFilter(nullable=True)
    last_name = TextFilter(nullable=True)
    has_account = FlagFilter()
    groups = TextFilter(field_name="id", through="groups")


class MemberFilter(TextFilter):
    """The id of a member, or an object that has it: `customers=…` or `customers[id]=…`."""

    def condition(self, raw: Any, *, name: str) -> Condition:
        if isinstance(raw, dict) and [*raw] == ["id"]:
            raw, name = raw["id"], f"{name}[id]"
        return super().condition(raw, name=name)


class CustomerGroupFilters(RecordFilters):
    """Customer groups, by name and customers."""

    q = SearchFilter(columns=("name",))
    name = TextFilter()
    customers = MemberFilter(field_name="id", through="customers")
