"""The shop file's promotions."""

from collections.abc import Mapping
from typing import ClassVar

from carts.models import Promotion
from carts.promotions.promotion_editing import VERBS
from carts.states import PromotionTarget, PromotionType
from catalog.models import Product
from kit.shop_file.references import NamesOf, Target
from kit.shop_file.sections import RowsSection
from kit.shop_file.values import Amount, Boolean, Choice, DateTime, Integer, Metadata, Text, Value
from kit.values.text import LONGEST
from shop.shop_file.currencies import CurrencyCode

PRODUCTS = Target(Product, "handle", "products")


class Promotions(RowsSection[Promotion]):
    """Every promotion that is not deleted, without its number of uses."""

    key = "promotions"
    prefix = "promo"
    model = Promotion
    natural_key = "code"
    verbs = VERBS
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
