"""The option values of variants, which programs name by the titles of options: `{"Size": "L"}`."""

from collections.abc import Collection, Mapping

from catalog.models import ProductOptionValue
from kit.errors import InvalidData

_Values = Mapping[str, Mapping[str, str]]


class OptionValues:
    """The values of the options of products. One statement."""

    def __init__(self, products: Collection[str]) -> None:
        values = ProductOptionValue.objects.not_deleted().filter(option__product__in=products, option__deleted_at=None)
        found = values.order_by("option", "pk").values_list("option__product", "option__title", "value", "pk")
        self._ids: dict[str, dict[str, dict[str, str]]] = {}
        for product, title, value, key in found if products else ():
            self._ids.setdefault(product, {}).setdefault(title, {})[value] = key

    def ids(self, product_id: str, given: Mapping[str, object]) -> list[str]:
        """The ids of the given values. Raises InvalidData unless they are one value of each option of the product."""
        options = self._ids.get(product_id, {})
        for title, value in given.items():
            if title not in options:
                raise InvalidData(f"The product has no option '{title}'")
            if not isinstance(value, str) or value not in options[title]:
                raise InvalidData(f"The option '{title}' has no value '{value}'")
        if missing := [title for title in options if title not in given]:
            raise InvalidData(f"A value is required of each option: {', '.join(missing)}")
        return [options[title][str(value)] for title, value in given.items()]
