"""Carts and promotions for tests. Carts are made by their own verbs: kept totals are never a test's invention."""

from typing import Any

import factory

from carts.details import creation
from carts.lines.lines import NewLineItem
from carts.models import Campaign, Cart, Promotion, PromotionCode
from carts.promotions.codes import code_key
from carts.promotions.derived import keep_derived, put_products, terms_of_older
from carts.states import PromotionTarget, PromotionType
from catalog.models import ProductVariant
from kit.domain.actor import Actor
from shop.models import Region, Store
from tests.factories.inventory import stock
from tests.factories.pricing import price
from tests.factories.products import ProductFactory, VariantFactory
from tests.factories.shop import RegionFactory


def shopper(*, customer_id: str | None = None) -> Actor:
    """Who shops in the store's default channel; a guest unless a customer is named."""
    channels = (Store.objects.get().default_sales_channel_id,)
    return Actor("customer" if customer_id else "anonymous", customer_id, channels)


def selling_region(**kwargs: Any) -> Region:
    """A region that sells to the United States, in dollars and without tax, unless a test says otherwise."""
    return RegionFactory(**{"countries": ["us"], **kwargs})


def default_region() -> Region:
    """The region where nothing names another, made where there is none."""
    store = Store.objects.get()
    if store.default_region is None:
        store.default_region = selling_region()
        store.save(update_fields=["default_region"])
    return store.default_region


def sold_variant(
    amount: Any = 10, *, currency_code: str = "usd", in_stock: int | None = None, **kwargs: Any
) -> ProductVariant:
    """A variant at that price. Its stock does not limit it, unless a test says how much there is."""
    variant = VariantFactory(manage_inventory=in_stock is not None, **kwargs)
    price(variant, amount, currency_code)
    if in_stock is not None:
        stock(variant, in_stock)
    return variant


def title_of(variant: ProductVariant) -> str:
    """What shoppers read of the variant in refusals."""
    return f"{variant.product.title} ({variant.title})"


def ebook(amount: Any = 10, **product: Any) -> ProductVariant:
    """A variant of a product that says that it is not shipped."""
    return sold_variant(amount, product=ProductFactory(requires_shipping=False, **product))


def cart(*pieces: NewLineItem | ProductVariant, actor: Actor | None = None, **given: Any) -> Cart:
    """A guest's cart in a new region, with those pieces, one of each variant."""
    items = [piece if isinstance(piece, NewLineItem) else NewLineItem(piece.pk, 1) for piece in pieces]
    given.setdefault("region_id", None)
    if given["region_id"] is None:
        given["region_id"] = selling_region().pk
    made = creation.create(actor=actor or shopper(), items=items, **given)
    return Cart.objects.get(pk=made)


def promotion_code(promotion: Promotion | None = None, code: str = "SAVE-1", **values: Any) -> PromotionCode:
    """A code that opens the promotion; by default one of a batch."""
    row = promotion or PromotionFactory(has_codes=True)
    made: PromotionCode = row.codes.create(code=code, code_key=code_key(code), **values)
    return made


class PromotionFactory(factory.django.DjangoModelFactory[Promotion]):
    """Ten percent off each item, by its code; products=[…] are those that it is for."""

    code = factory.Sequence(lambda number: f"SAVE{number}")
    type = PromotionType.PERCENTAGE
    target = PromotionTarget.ITEMS
    value = 10

    class Meta:
        model = Promotion
        skip_postgeneration_save = True

    @classmethod
    def _adjust_kwargs(cls, **kwargs: Any) -> dict[str, Any]:
        """What an older target means, unless a test says more."""
        kind, allocation = terms_of_older(kwargs["target"], has_target_rules=False)
        return {"target_type": kind, "allocation": allocation, **kwargs}

    @factory.post_generation
    def products(self: Promotion, create: bool, products: Any, **_: Any) -> None:
        if not self.has_codes:
            promotion_code(self, self.code)
        if products and self.target == PromotionTarget.ORDER:
            self.target_type, self.allocation = terms_of_older(self.target, has_target_rules=True)
            self.save(update_fields=["target_type", "allocation"])
        put_products({self.pk: [product.pk for product in products or ()]})
        keep_derived([self.pk])


class CampaignFactory(factory.django.DjangoModelFactory[Campaign]):
    """A campaign without dates and budget."""

    name = "Spring"
    campaign_identifier = factory.Sequence(lambda number: f"spring-{number}")

    class Meta:
        model = Campaign
