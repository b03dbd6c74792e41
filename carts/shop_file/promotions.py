"""The shop file's promotions."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, ClassVar

from carts.models import Promotion
from carts.states import PromotionTarget, PromotionType
from catalog.models import Product
from commerce.core.errors import InvalidData
from commerce.core.money import exact
from commerce.core.shop_file import Placed, RowsSection
from commerce.core.shop_file_children import Links
from commerce.core.shop_file_references import NamesOf, Target
from commerce.core.shop_file_values import (
    Amount,
    Choice,
    Entry,
    Flag,
    Metadata,
    Moment,
    Text,
    Value,
    WholeNumber,
    written,
)
from commerce.core.timestamps import isoformat
from commerce.shop.shop_file.regions import CurrencyCode

PRODUCTS = Target(Product, "handle", "products")
_WHOLE = Decimal(100)


class Promotions(RowsSection[Promotion]):
    """Every promotion that is not deleted; how often it was used is no business of a file."""

    key = "promotions"
    prefix = "promo"
    model = Promotion
    natural_key = "code"
    fields: ClassVar[Mapping[str, Value]] = {
        "code": Text(required=True, longest=255, may_be_blank=False),
        "is_automatic": Flag(),
        "type": Choice(required=True, choices=tuple(PromotionType.values)),
        "value": Amount(required=True),
        "currency_code": CurrencyCode(nullable=True),
        "target": Choice(required=True, choices=tuple(PromotionTarget.values)),
        "starts_at": Moment(nullable=True),
        "ends_at": Moment(nullable=True),
        "usage_limit": WholeNumber(nullable=True),
        "product_handles": NamesOf(target=PRODUCTS),
        "metadata": Metadata(),
    }

    def values(self, entry: Entry, row: Promotion | None) -> dict[str, Any]:
        values = super().values(entry, row)
        if "currency_code" in values:
            values["currency_id"] = values.pop("currency_code")
        whole = {name: values.get(name, getattr(row, name, None)) for name in _JUDGED}
        problem = _fault(used=row.used if row else 0, **whole)
        if problem:
            self.refuse(entry, problem)
        return values

    def load_parts(self, placed: Sequence[Placed[Promotion]]) -> None:
        links = Links(Promotion, "products", [one.row.pk for one in placed if not one.is_new])
        for one in placed:
            if "product_handles" in one.entry.given:
                one.is_changed |= links.link(one.row.pk, one.entry.given["product_handles"])
        links.write()

    @classmethod
    def dump(cls, *, with_credentials: bool) -> Iterator[dict[str, Any]]:
        for promotion in Promotion.objects.alive().order_by("pk").prefetch_related("products"):
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


def _fault(*, type: Any, value: Any, currency_id: Any, used: int, **limits: Any) -> str | None:
    """What is wrong with the promotion as a whole, or None."""
    if value is None or type is None:
        return None  # told by their fields
    if limits["starts_at"] and limits["ends_at"] and limits["starts_at"] >= limits["ends_at"]:
        return "ends before it starts"
    if limits["usage_limit"] is not None and limits["usage_limit"] < used:
        return f"was used {used} times already"
    if not value:
        return "takes nothing off: value must be above 0"
    if type == PromotionType.PERCENTAGE:
        return (
            "takes a share, which has no currency and is 100 percent at most" if currency_id or value > _WHOLE else None
        )
    if currency_id is None:
        return "takes an amount, which needs a currency_code"
    try:
        exact(value, currency_id, field="value")
    except InvalidData as error:
        return error.message
    return None
