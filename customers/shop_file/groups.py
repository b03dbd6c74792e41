"""The shop file's customer groups."""

from collections.abc import Mapping

from customers.groups import VERBS
from customers.models import CustomerGroup
from customers.tax_exemption import COUNTRIES
from kit.shop_file.row_fields import row_fields
from kit.shop_file.sections import RowsSection
from kit.shop_file.values import Boolean, Day, Value
from shop.shop_file.places import CountryCodes

EXEMPTION: Mapping[str, Value] = {
    "is_tax_exempt": Boolean(),
    COUNTRIES: CountryCodes(nullable=True),
    "tax_exempt_until": Day(nullable=True),
}
"""Of groups and customers."""


class CustomerGroups(RowsSection[CustomerGroup]):
    """Every group that is not deleted. Customers name theirs."""

    key = "customer_groups"
    verbs = VERBS
    natural_key = "name"
    fields = row_fields(VERBS, **EXEMPTION)
