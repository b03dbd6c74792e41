"""The shop file's promotions."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from carts.models import Campaign, Promotion
from carts.promotions.campaign_editing import VERBS as CAMPAIGN_VERBS
from carts.promotions.promotion_editing import VERBS
from carts.promotions.stated_tax import currencies_and_regions_that_differ
from carts.states import Comparison, PromotionTarget, PromotionType, RuleKind
from catalog.handles import normalized_if_possible
from catalog.models import Product
from kit.shop_file.problems import Problems
from kit.shop_file.references import Named, NamesOf, Target
from kit.shop_file.row_fields import row_fields
from kit.shop_file.sections import Placed, RowsSection
from kit.shop_file.values import Boolean, Choice, Entry, Objects, Text, Texts, Value
from kit.values.json import JSON, JSONObject
from shop.shop_file.currencies import CurrencyCode

CAMPAIGNS = Target(Campaign, "campaign_identifier", "campaigns")
OLDER = ("target", "product_handles")
"""Keys of older versions, in place of target_type, allocation and target_rules."""
_RULE: Mapping[str, Value] = {
    "attribute": Text(required=True),
    "operator": Choice(required=True, choices=tuple(Comparison.values)),
    "values": Texts(required=True),
    "description": Text(nullable=True),
}
PRODUCTS = Target(Product, "handle", "products", normalized_if_possible)


@dataclass(frozen=True, kw_only=True)
class RulesOf(Objects):
    """The rules of one kind, which is the name of the attribute."""

    def dumped(self, row: Any, attribute: str) -> JSON:
        return [
            {name: getattr(rule, name) for name in _RULE}
            for rule in sorted(row.rules.all(), key=attrgetter("pk"))
            if rule.kind == attribute and rule.deleted_at is None
        ]


class Campaigns(RowsSection[Campaign]):
    """Every campaign that is not deleted, without what is used of its budget."""

    key = "campaigns"
    natural_key = "campaign_identifier"
    verbs = CAMPAIGN_VERBS
    fields = row_fields(
        CAMPAIGN_VERBS, budget_currency_code=CurrencyCode(nullable=True, attribute="budget_currency_id")
    )


class Promotions(RowsSection[Promotion]):
    """Every promotion that is not deleted, without its number of uses and the codes of its batches.

    Values of rules are ids.
    """

    key = "promotions"
    natural_key = "code"
    verbs = VERBS
    fields = row_fields(
        VERBS,
        currency_code=CurrencyCode(nullable=True),
        is_tax_inclusive=Boolean(nullable=True),
        campaign=Named(target=CAMPAIGNS, nullable=True),
        target=Choice(choices=tuple(PromotionTarget.values)),
        product_handles=NamesOf(target=PRODUCTS, attribute="products"),
        **{kind: RulesOf(fields=_RULE) for kind in RuleKind.values},
    )
    prefetched = ("rules",)

    def __init__(self, problems: Problems) -> None:
        super().__init__(problems)
        self._silent: dict[str, list[str]] = defaultdict(list)

    def values(self, entry: Entry, row: Promotion | None) -> dict[str, Any]:
        values = super().values(entry, row)
        lists = {kind: [rule.given for rule in values[kind]] for kind in RuleKind.values if kind in values}
        return {**values, **lists}

    def load_parts(self, placed: Sequence[Placed[Promotion]]) -> None:
        super().load_parts(placed)
        for one in placed:
            is_silent = one.entry.given.get("is_tax_inclusive") is None and (one.is_new or one.is_changed)
            if is_silent and one.row.type == PromotionType.FIXED:
                self._silent[str(one.row.currency_id)].append(one.row.code)

    def finish(self) -> None:
        """Name the amounts that do not say whether they include tax, where currency and region differ."""
        differences = currencies_and_regions_that_differ(self._silent) if self._silent else {}
        self.announcements += [
            f"{difference}: say is_tax_inclusive of {', '.join(self._silent[code])}"
            for code, difference in differences.items()
        ]

    @classmethod
    def dump(cls, *, with_credentials: bool) -> Iterator[JSONObject]:
        for promotion in super().dump(with_credentials=with_credentials):
            yield {name: value for name, value in promotion.items() if name not in OLDER}
