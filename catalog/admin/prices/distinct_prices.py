"""Tables of prices refuse two prices of one thing with the same currency, quantities and region."""

from collections.abc import Hashable
from typing import ClassVar

from django.db.models import QuerySet

from catalog.admin.prices.amounts import current_rules, is_regional
from catalog.models import Price
from kit.admin.inlines.part_formset import PartFormSet

Key = tuple[Hashable, ...]


class DistinctPrices(PartFormSet):
    """Compares all prices without rules besides their region, on this page and others.

    repeated: the error of a duplicate. The forms have a `key`.
    """

    repeated: ClassVar[str]

    def stored(self) -> QuerySet[Price]:
        """The prices of the table that are not deleted, on all pages."""
        raise NotImplementedError

    def key_of(self, price: Price) -> Key:
        """The stored price's key, comparable with the forms' `key`."""
        region = next((rule.value for rule in current_rules(price) if is_regional(rule)), None)
        return price.currency_id, price.min_quantity, price.max_quantity, region

    def is_plain(self, price: Price) -> bool:
        """Whether the key has all the conditions of the stored price."""
        return all(map(is_regional, current_rules(price)))

    def clean(self) -> None:
        super().clean()
        remaining = self.remaining
        changed = [form for form in remaining if form.has_changed()]
        unchanged = {form.instance.pk for form in remaining if form not in changed}
        others = self.stored().exclude(pk__in={form.instance.pk for form in self.forms} - unchanged)
        seen = {self.key_of(price) for price in others.prefetch_related("rules") if self.is_plain(price)}
        for form in changed:  # rows that one may only see have not even values to check
            if form.errors or form.has_other_rules:
                continue
            key = form.key
            if key in seen:
                form.add_error(form.error_field, self.repeated)
            seen.add(key)
