"""What all tables of prices refuse: two prices of one thing for the same currency, quantities and region."""

from collections.abc import Hashable
from typing import ClassVar

from django.db.models import QuerySet

from catalog.admin.amounts import current_rules, is_regional
from catalog.models import Price
from commerce.kit.admin.part_inline import PartFormSet

Key = tuple[Hashable, ...]


class DistinctPrices(PartFormSet):
    """Compared are all prices, on this page or another, that nothing but their region narrows.

    repeated: what is told of the second of two. The forms have a `key`.
    """

    repeated: ClassVar[str]

    def stored(self) -> QuerySet[Price]:
        """The living prices that the table is about, whatever page they are on."""
        raise NotImplementedError

    def key_of(self, price: Price) -> Key:
        """What no two of them share: as the forms' `key`."""
        region = next((rule.value for rule in current_rules(price) if is_regional(rule)), None)
        return price.currency_id, price.min_quantity, price.max_quantity, region

    def clean(self) -> None:
        super().clean()
        others = self.stored().exclude(pk__in=[form.instance.pk for form in self.forms]).prefetch_related("rules")
        seen = {self.key_of(price) for price in others if all(map(is_regional, current_rules(price)))}
        for form in self.remaining:
            if form.errors or form.has_other_rules:
                continue
            key = form.key
            if key in seen:
                form.add_error(form.error_field, self.repeated)
            seen.add(key)
