"""The shop file's promotions."""

from collections.abc import Mapping
from typing import Any, ClassVar

from carts.models import Promotion
from carts.promotion_terms import fault
from carts.states import PromotionTarget, PromotionType
from catalog.models import Product
from commerce.kit.core.text import LONGEST
from commerce.kit.shop_file.references import NamesOf, Target
from commerce.kit.shop_file.sections import RowsSection
from commerce.kit.shop_file.values import (
    Amount,
    Boolean,
    Choice,
    DateTime,
    Entry,
    Integer,
    Metadata,
    Text,
    Value,
)
from commerce.shop.shop_file.currencies import CurrencyCode

PRODUCTS = Target(Product, "handle", "products")


class Promotions(RowsSection[Promotion]):
    """Every promotion that is not deleted, without its number of uses."""

    key = "promotions"
    prefix = "promo"
    model = Promotion
    natural_key = "code"
    fields: ClassVar[Mapping[str, Value]] = {
        "code": Text(required=True, longest=LONGEST, may_be_blank=False),
        "is_automatic": Boolean(),
        "type": Choice(required=True, choices=tuple(PromotionType.values)),
        "value": Amount(required=True),
        "currency_code": CurrencyCode(nullable=True),
        "target": Choice(required=True, choices=tuple(PromotionTarget.values)),
        "starts_at": DateTime(nullable=True),
        "ends_at": DateTime(nullable=True),
        "usage_limit": Integer(nullable=True),
        "usage_limit_per_customer": Integer(nullable=True),
        "product_handles": NamesOf(target=PRODUCTS, attribute="products"),
        "metadata": Metadata(),
    }

    def values(self, entry: Entry, row: Promotion | None) -> dict[str, object]:
        values = super().values(entry, row)
        whole: dict[str, Any] = {name: values.get(name, getattr(row, name, None)) for name in _TERMS}
        if entry.is_sound:
            problem = fault(used=row.used if row else 0, **whole)
            if problem:
                self.refuse(entry, problem[1])
        return values


_TERMS = ("type", "value", "currency_id", "starts_at", "ends_at", "usage_limit", "usage_limit_per_customer")
