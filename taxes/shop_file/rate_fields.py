"""The fields of a tax rate in the shop file."""

from collections import Counter
from collections.abc import Iterable, Mapping

from django.db.models import Q

from carts.shop_file.promotions import PRODUCTS
from catalog.shop_file.products import TYPES
from fulfillment.models import ShippingOption
from kit.shop_file.problems import Problems
from kit.shop_file.references import NamesOf, Target
from kit.shop_file.values import Boolean, DateTime, Id, Metadata, Percent, Text, Value
from kit.values.text import LONGEST
from taxes.models import TaxRate


class OptionTarget(Target):
    """Shipping options, by id; by name where only one has it, since names are unique within their zone alone."""

    def ids_by_name(self, words: Iterable[str]) -> dict[str, str]:
        words = list(words)
        rows = [*self.rows().filter(Q(name__in=words) | Q(pk__in=words)).values_list("pk", "name")]
        times = Counter(name for _, name in rows)
        by_name = {name: pk for pk, name in rows if times[name] == 1}
        return by_name | {pk: pk for pk, _ in rows}

    def report_unknown(self, word: str, path: str, problems: Problems) -> None:
        if self.rows().filter(name=word).exists():
            problems.add(path, f"several shipping options are called '{word}': give the id of one")
        else:
            super().report_unknown(word, path, problems)

    def names(self, ids: Iterable[str]) -> dict[str, str]:
        """How a dump names the options with these ids: those that are deleted are left out."""
        names = dict(self.rows().filter(pk__in=ids).values_list("pk", "name"))
        rows = self.rows().filter(name__in={*names.values()}).values_list("name", flat=True)
        times = Counter(rows)
        return {pk: name if times[name] == 1 else pk for pk, name in names.items()}


OPTIONS = OptionTarget(ShippingOption, "name", "fulfillment_sets")
GOODS: Mapping[str, Target] = {"products": PRODUCTS, "product_types": TYPES, "shipping_options": OPTIONS}
RATE: Mapping[str, Value] = {
    "id": Id(prefix="txr"),
    "created_at": DateTime(),
    "name": Text(required=True, longest=LONGEST, may_be_blank=False),
    "code": Text(nullable=True, longest=TaxRate._meta.get_field("code").max_length, may_be_blank=False),
    "rate": Percent(required=True),
    "is_default": Boolean(),
    "is_combinable": Boolean(),
    **{field: NamesOf(target=target) for field, target in GOODS.items()},
    "metadata": Metadata(),
}
