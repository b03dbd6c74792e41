"""The shop file's customer groups."""

from collections.abc import Mapping
from typing import ClassVar

from customers.groups import VERBS
from customers.models import CustomerGroup
from customers.tax_exemption import COUNTRIES
from kit.shop_file.sections import RowsSection
from kit.shop_file.values import Boolean, Day, Metadata, Text, Value
from kit.values.text import LONGEST
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
    prefix = "cusgroup"
    verbs = VERBS
    model = CustomerGroup
    natural_key = "name"
    fields: ClassVar[Mapping[str, Value]] = {
        "name": Text(required=True, longest=LONGEST, may_be_blank=False),
        **EXEMPTION,
        "metadata": Metadata(),
    }
