"""The shop file's promotions."""

from collections import defaultdict
from collections.abc import Sequence

from carts.models import Promotion
from carts.promotions.promotion_editing import VERBS
from carts.promotions.stated_tax import currencies_and_regions_that_differ
from catalog.handles import normalized_if_possible
from catalog.models import Product
from kit.shop_file.problems import Problems
from kit.shop_file.references import NamesOf, Target
from kit.shop_file.row_fields import row_fields
from kit.shop_file.sections import Placed, RowsSection
from kit.shop_file.values import Boolean
from shop.shop_file.currencies import CurrencyCode

PRODUCTS = Target(Product, "handle", "products", normalized_if_possible)


class Promotions(RowsSection[Promotion]):
    """Every promotion that is not deleted, without its number of uses."""

    key = "promotions"
    natural_key = "code"
    verbs = VERBS
    fields = row_fields(
        VERBS,
        currency_code=CurrencyCode(nullable=True),
        is_tax_inclusive=Boolean(nullable=True),
        product_handles=NamesOf(target=PRODUCTS, attribute="products"),
    )

    def __init__(self, problems: Problems) -> None:
        super().__init__(problems)
        self._silent: dict[str, list[str]] = defaultdict(list)

    def load_parts(self, placed: Sequence[Placed[Promotion]]) -> None:
        super().load_parts(placed)
        for one in placed:
            is_silent = one.entry.given.get("is_tax_inclusive") is None and (one.is_new or one.is_changed)
            if is_silent and one.row.currency_id is not None:
                self._silent[one.row.currency_id].append(one.row.code)

    def finish(self) -> None:
        """Name the amounts that do not say whether they include tax, where currency and region differ."""
        differences = currencies_and_regions_that_differ(self._silent) if self._silent else {}
        self.announcements += [
            f"{difference}: say is_tax_inclusive of {', '.join(self._silent[code])}"
            for code, difference in differences.items()
        ]
