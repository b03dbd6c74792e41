"""The carts of cases.md in a shop: promotions by the admin API, carts by the store's routes."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from carts import rule_attributes as on
from carts.arithmetic.offers import ActivePromotion, OfferRule
from carts.rule_attributes import AMOUNTS
from carts.states import PromotionKind, PromotionType
from catalog.models import ProductCategory
from customers.models import Customer
from fulfillment.models import ShippingOption, ShippingOptionType
from shop.models import Currency, Region
from tests.carts.promotions.cases import GOODS, Case, Priced
from tests.contract.callers import Caller, storefront
from tests.customers.conftest import signed_in
from tests.factories.apikeys import publishable_key
from tests.factories.carts import CampaignFactory, selling_region
from tests.factories.customers import CustomerFactory, CustomerGroupFactory
from tests.factories.fulfillment import option, zone
from tests.factories.orders import order
from tests.factories.pricing import price
from tests.factories.products import (
    ProductCollectionFactory,
    ProductFactory,
    ProductTagFactory,
    ProductTypeFactory,
    VariantFactory,
)
from tests.factories.taxes import tax_rate

CLASSES = {"items": "product", "order": "order", "shipping_methods": "shipping"}
PLACE = "de"


def number(units: int) -> float:
    return float(Decimal(units) / 10_000)


@dataclass
class StoredCase:
    """A case with the ids of its rows. named: the id of what a rule names, by its attribute and word.

    called: the products that are called by a word.
    """

    case: Case
    region: Region = field(init=False)
    named: dict[tuple[str, str], str] = field(default_factory=dict)
    called: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    variants: list[str] = field(default_factory=list)
    products: list[str] = field(default_factory=list)
    options: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Prices of the region include tax, those of the currency do not."""
        code, first = self.case.currency_code, self.case.rows[0]
        Currency.objects.filter(pk=code).update(is_tax_inclusive=False)
        self.region = selling_region(
            countries=[PLACE, "fr"], currency_id=code, is_tax_inclusive=True, tax_rate=number(first.rate)
        )
        for row in self.case.rows:
            if row.is_shipping:
                self._add_option(row)
            else:
                self._add_goods(row)

    @property
    def _asked(self) -> set[str]:
        """What the rules are about."""
        return {
            rule.attribute for each in self.case.offers for rule in (*each.rules, *each.target_rules, *each.buy_rules)
        }

    def _add_goods(self, row: Priced) -> None:
        is_card, words = row.words == "gift card", [word for word in re.split("[ ,]", row.words) if word]
        product = ProductFactory(
            discountable=row.words != "not discountable", is_giftcard=is_card, **self._labels(words)
        )
        for word in words:
            self.called[word].append(product.pk)
        variant = VariantFactory(product=product, manage_inventory=False)
        price(variant, number(row.price), self.case.currency_code, region=self._within(row))
        tax_rate(PLACE, number(row.rate), products=[product])
        self.variants.append(variant.pk)
        self.products.append(product.pk)

    def _labels(self, words: Sequence[str]) -> dict[str, Any]:
        """What the product is organised by: in the first word's category, which is below that of the second."""
        labels: dict[str, Any] = {}
        if words and on.COLLECTION in self._asked:
            labels["collection_id"] = self._id(on.COLLECTION, words[0])
        if words and on.TYPE in self._asked:
            labels["type_id"] = self._id(on.TYPE, words[0])
        if words and on.TAG in self._asked:
            labels["tags"] = [self._id(on.TAG, word) for word in words]
        if words and on.CATEGORY in self._asked:
            above = self._id(on.CATEGORY, words[1]) if len(words) > 1 else None
            labels["categories"] = [self._id(on.CATEGORY, words[0], above)]
        return labels

    def _id(self, attribute: str, word: str, above: str | None = None) -> str:
        if (attribute, word) not in self.named:
            if attribute == on.CATEGORY:
                key = f"pcat_{word}"
                path = f"{above}.{key}" if above else key
                made: Any = ProductCategory.objects.create(
                    id=key, name=word, handle=word, path=path, parent_category_id=above, rank=0, is_visible=True
                )
            else:
                made = {
                    on.COLLECTION: ProductCollectionFactory,
                    on.TYPE: ProductTypeFactory,
                    on.TAG: ProductTagFactory,
                }[attribute]()
            self.named[attribute, word] = made.pk
        return self.named[attribute, word]

    def _add_option(self, row: Priced) -> None:
        made: ShippingOption = option(None, of=zone(PLACE))
        price(made.price_set, number(row.price), self.case.currency_code, region=self._within(row))
        tax_rate(PLACE, number(row.rate), options=[made])
        if row.words:
            self.named[on.SHIPPING_TYPE, row.words] = made.type_id
            other = ShippingOptionType.objects.create(label="Standard", code="standard")
            self.named[on.SHIPPING_TYPE, "standard"] = other.pk
        self.options.append(made.pk)

    def _within(self, row: Priced) -> Region | None:
        return self.region if row.is_tax_inclusive else None

    # --- Promotions --------------------------------------------------------------------------------------------------

    def offer_all(self, admin: Caller) -> None:
        for each in self.case.offers:
            response = admin.post("/admin/promotions", self._body(each))
            assert response.status_code == 200, response.json()

    def _body(self, each: ActivePromotion) -> dict[str, Any]:
        is_fixed = each.type == PromotionType.FIXED
        has_currency = is_fixed or each.budget or any(rule.attribute in AMOUNTS for rule in each.rules)
        targets, bought = self._rules(each.target_rules), self._rules(each.buy_rules)
        if each.kind == PromotionKind.BUYGET and not targets:
            targets = bought = [{"attribute": on.PRODUCT, "operator": "in", "values": self.products}]
        method = {
            "type": each.type,
            "value": number(each.value),
            "target_type": each.target,
            "allocation": each.allocation,
            "max_quantity": each.max_quantity,
            "currency_code": self.case.currency_code if has_currency else None,
            "target_rules": targets,
            **({"buy_rules": bought} if bought else {}),
            **({"buy_rules_min_quantity": each.buy_rules_min_quantity} if each.buy_rules_min_quantity else {}),
            **({"apply_to_quantity": each.apply_to_quantity} if each.apply_to_quantity else {}),
        }
        return {
            "code": each.promotion_id,
            "type": each.kind,
            "status": "active",
            "priority": each.priority,
            "combines_with": [CLASSES[target] for target in each.combines_with],
            "rules": self._rules(each.rules),
            "application_method": method,
            **({"is_tax_inclusive": each.is_tax_inclusive} if is_fixed else {}),
            **({"campaign_id": _spent(each.budget[1], self.case.currency_code)} if each.budget else {}),
        }

    def _rules(self, rules: Sequence[OfferRule]) -> list[dict[str, Any]]:
        return [
            {
                "attribute": rule.attribute,
                "operator": rule.operator,
                "values": [each for value in sorted(rule.values) for each in self._values(rule.attribute, value)],
            }
            for rule in rules
        ]

    def _values(self, attribute: str, value: str) -> list[str]:
        """The ids of what a rule of the table names, or the value that it compares with."""
        if attribute == on.PRODUCT:
            return self.called[value]
        return [self.named[attribute, value] if attribute in (*GOODS, on.SHIPPING_TYPE, on.GROUPS) else value]

    # --- The cart ----------------------------------------------------------------------------------------------------

    def shopper(self) -> Caller:
        """A guest, or the customer whom the case's facts are about."""
        group = CustomerGroupFactory()
        self.named[on.GROUPS, "members"] = group.pk
        if not self.case.facts:
            return storefront(publishable_key())
        customer: Customer = CustomerFactory(email="ann@example.com")
        if on.GROUPS in self.case.facts:
            customer.groups.add(group)
        else:
            order(customer)
        return signed_in(customer)

    def fill(self, store: Caller) -> dict[str, Any]:
        """The cart with goods, codes, address and shipping."""
        is_placed = on.COUNTRY not in self._asked
        body = {
            "region_id": self.region.pk,
            "email": "ann@example.com",
            **({"shipping_address": {"country_code": PLACE}} if is_placed else {}),
            "items": [
                {"variant_id": key, "quantity": row.quantity}
                for key, row in zip(self.variants, self.case.rows, strict=False)
            ],
            "promo_codes": [each.promotion_id for each in self.case.offers],
        }
        cart = done(store.post("/store/carts", body))["cart"]
        for key in self.options:
            path = f"/store/carts/{cart['id']}/shipping-methods"
            cart = done(store.post(path, {"option_id": key}))["cart"]
        return cart

    def discounts(self, cart: Mapping[str, Any]) -> list[float]:
        """Of each line, then of the methods."""
        by_variant = {item["variant_id"]: taken(item) for item in cart["items"]}
        return [*(by_variant[key] for key in self.variants), *map(taken, cart["shipping_methods"])]


def taken(row: Mapping[str, Any]) -> float:
    """Together what the adjustments of a line or method take off, as stated."""
    assert {each["is_tax_inclusive"] for each in row["adjustments"]} <= {row["is_tax_inclusive"]}
    return float(sum(Decimal(str(each["amount"])) for each in row["adjustments"]))


def done(response: Any) -> dict[str, Any]:
    assert response.status_code == 200, response.content
    found: dict[str, Any] = response.json()
    return found


def _spent(left: int, currency_code: str) -> str:
    """A campaign that has so much left of 100."""
    campaign = CampaignFactory(
        budget_type="spend", budget_currency_id=currency_code, budget_limit=100, budget_used=100 - number(left)
    )
    return campaign.pk
