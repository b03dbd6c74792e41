"""The shop file's promotions."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from carts.models import Promotion
from carts.promotion_terms import fault
from carts.states import PromotionTarget, PromotionType
from catalog.models import Product
from commerce.kit.core.text import LONGEST
from commerce.kit.core.timestamps import isoformat
from commerce.kit.shop_file.children import Links
from commerce.kit.shop_file.references import NamesOf, Target
from commerce.kit.shop_file.sections import Placed, RowsSection
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
    written,
)
from commerce.shop.shop_file.currencies import CurrencyCode

PRODUCTS = Target(Product, "handle", "products")


class Promotions(RowsSection[Promotion]):
    """Every promotion that is not deleted; how often it was used is no business of a file."""

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
        "product_handles": NamesOf(target=PRODUCTS),
        "metadata": Metadata(),
    }

    def values(self, entry: Entry, row: Promotion | None) -> dict[str, Any]:
        values = super().values(entry, row)
        if "currency_code" in values:
            values["currency_id"] = values.pop("currency_code")
        whole: dict[str, Any] = {name: values.get(name, getattr(row, name, None)) for name in _JUDGED}
        if entry.is_sound:
            problem = fault(used=row.used if row else 0, **whole)
            if problem:
                self.refuse(entry, problem[1])
        return values

    def load_parts(self, placed: Sequence[Placed[Promotion]]) -> None:
        links = Links(Promotion, "products", [one.row.pk for one in placed if not one.is_new])
        for one in placed:
            if "product_handles" in one.entry.given:
                one.is_changed |= links.link(one.row.pk, one.entry.given["product_handles"])
        links.write()

    @classmethod
    def dump(cls, *, with_credentials: bool) -> Iterator[dict[str, Any]]:
        for promotion in Promotion.objects.not_deleted().order_by("pk").prefetch_related("products"):
            yield {
                "id": promotion.pk,
                "code": promotion.code,
                "is_automatic": promotion.is_automatic,
                "type": promotion.type,
                "value": written(promotion.value),
                "currency_code": promotion.currency_id,
                "target": promotion.target,
                "starts_at": promotion.starts_at and isoformat(promotion.starts_at),
                "ends_at": promotion.ends_at and isoformat(promotion.ends_at),
                "usage_limit": promotion.usage_limit,
                "product_handles": sorted(
                    product.handle for product in promotion.products.all() if product.deleted_at is None
                ),
                "metadata": promotion.metadata,
                "created_at": isoformat(promotion.created_at),
            }


_JUDGED = ("type", "value", "currency_id", "starts_at", "ends_at", "usage_limit")
