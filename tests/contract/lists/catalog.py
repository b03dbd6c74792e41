"""Lists of the catalogue and of stock."""

from datetime import timedelta
from typing import Any

from django.db.models import Model

from catalog.api.admin.price_preferences import PricePreferenceSerializer
from catalog.api.serializers import (
    AdminProductCategorySerializer,
    AdminProductOptionSerializer,
    AdminProductSerializer,
    AdminProductVariantSerializer,
    CalculatedPriceSerializer,
    InventoryItemSerializer,
    InventoryLevelSerializer,
    ListedPriceSerializer,
    PriceListSerializer,
    ProductCategorySerializer,
    ProductCollectionSerializer,
    ProductOptionSerializer,
    ProductOptionValueSerializer,
    ProductSerializer,
    ProductTagSerializer,
    ProductTypeSerializer,
    ProductVariantSerializer,
    ReservationSerializer,
)
from catalog.api.serializers.price_lists import PriceSetSerializer
from catalog.categories import category_tree
from catalog.models import Product
from catalog.states import ProductStatus
from fulfillment.api.admin.serializers import ShippingProfileSerializer
from kit.domain.actor import SYSTEM
from kit.reads.declarations.fields import ResourceSerializerClass
from kit.values.timestamps import now
from shop.models import Store
from tests.contract.lists.contract import (
    DATED,
    FIRST_DAY,
    ID_AND_DATES,
    RECORD,
    Contract,
    Filtering,
    Rows,
    days_apart,
    named,
)
from tests.factories.catalog import CategoryFactory
from tests.factories.inventory import (
    InventoryItemFactory,
    InventoryLevelFactory,
    ReservationFactory,
)
from tests.factories.pricing import PriceListFactory, price
from tests.factories.products import (
    OptionFactory,
    OptionValueFactory,
    ProductCollectionFactory,
    ProductFactory,
    ProductTagFactory,
    ProductTypeFactory,
    VariantFactory,
)
from tests.factories.shop import RegionFactory

_VARIANT = (
    "id title sku barcode ean upc product_id allow_backorder manage_inventory variant_rank inventory_quantity "
    "product options images calculated_price width weight length height origin_country hs_code mid_code material "
    f"{RECORD}"
)
_PRODUCT = (
    "id title handle subtitle description thumbnail status is_giftcard discountable external_id collection_id "
    "type_id collection categories type tags variants options images seo_title seo_description width weight length "
    f"height origin_country hs_code mid_code material {RECORD}"
)
_UNSORTED_OF_PRODUCT = "seo_title seo_description collection categories type tags variants options images"
CONTRACTS: dict[ResourceSerializerClass, Contract] = {
    ProductCategorySerializer: Contract(
        "id name description handle seo_title seo_description rank parent_category_id parent_category "
        f"category_children products {RECORD}",
        "seo_title seo_description parent_category category_children products",
        {"parent_category": ProductCategorySerializer},
    ),
    AdminProductCategorySerializer: Contract(
        "is_active is_internal external_id id name description handle seo_title seo_description rank "
        f"parent_category_id parent_category category_children products {RECORD}",
        "seo_title seo_description parent_category category_children products external_id",
        {"parent_category": AdminProductCategorySerializer},
    ),
    ProductSerializer: Contract(
        _PRODUCT,
        _UNSORTED_OF_PRODUCT,
        {"collection": ProductCollectionSerializer, "type": ProductTypeSerializer},
        "variants.calculated_price",
    ),
    ProductVariantSerializer: Contract(
        _VARIANT,
        "inventory_quantity product options images calculated_price",
        {"product": ProductSerializer},
    ),
    AdminProductSerializer: Contract(
        f"requires_shipping shipping_profile_id sales_channels product_options {_PRODUCT} shipping_profile",
        f"{_UNSORTED_OF_PRODUCT} sales_channels product_options shipping_profile",
        {
            "collection": ProductCollectionSerializer,
            "type": ProductTypeSerializer,
            "shipping_profile": ShippingProfileSerializer,
        },
    ),
    ShippingProfileSerializer: Contract(f"id name type {RECORD}"),
    AdminProductVariantSerializer: Contract(
        f"thumbnail prices inventory_items inventory {_VARIANT}",
        "inventory_quantity product options images calculated_price thumbnail prices inventory_items inventory",
        {"product": AdminProductSerializer},
    ),
    ProductCollectionSerializer: Contract(
        f"id title handle seo_title seo_description products {RECORD}", "seo_title seo_description products"
    ),
    ProductTypeSerializer: Contract(f"id value {RECORD}"),
    ProductTagSerializer: Contract(f"id value {RECORD}"),
    ProductOptionSerializer: Contract(
        f"id title product_id product values {RECORD}", "product values", {"product": ProductSerializer}
    ),
    AdminProductOptionSerializer: Contract(
        f"products is_exclusive id title product_id product values {RECORD}",
        "is_exclusive products product values",
        {"product": ProductSerializer},
    ),
    ProductOptionValueSerializer: Contract(
        f"id value option_id option {RECORD}", "option", {"option": ProductOptionSerializer}, "rank"
    ),
    PricePreferenceSerializer: Contract(f"id attribute value is_tax_inclusive {DATED} deleted_at"),
    PriceListSerializer: Contract(
        f"id title description type status starts_at ends_at rules prices metadata {DATED} deleted_at",
        "rules prices metadata",
    ),
    ListedPriceSerializer: Contract(
        "price_list_id variant_id price_set id title currency_code amount raw_amount min_quantity max_quantity "
        f"price_set_id rules price_rules {DATED} deleted_at",
        "title raw_amount rules price_rules price_set",
        {"price_set": PriceSetSerializer},
    ),
    PriceSetSerializer: Contract(f"id variant {DATED} deleted_at", "variant"),
    InventoryItemSerializer: Contract(
        "id sku title description thumbnail unit_of_measure requires_shipping stocked_quantity reserved_quantity "
        f"location_levels width weight length height origin_country hs_code mid_code material {RECORD} variants",
        "location_levels variants",
    ),
    InventoryLevelSerializer: Contract(
        "id inventory_item_id location_id stocked_quantity reserved_quantity available_quantity incoming_quantity "
        f"metadata inventory_item {DATED} deleted_at stock_locations",
        "metadata inventory_item stock_locations",
        {"inventory_item": InventoryItemSerializer},
    ),
    ReservationSerializer: Contract(
        "id line_item_id location_id inventory_item_id quantity allow_backorder description external_id "
        f"inventory_item {RECORD}",
        "external_id inventory_item",
        {"inventory_item": InventoryItemSerializer},
    ),
    CalculatedPriceSerializer: Contract(
        "id is_calculated_price_price_list is_calculated_price_tax_inclusive calculated_amount "
        "calculated_amount_with_tax calculated_amount_without_tax is_original_price_price_list "
        "is_original_price_tax_inclusive original_amount original_amount_with_tax original_amount_without_tax "
        "currency_code calculated_price original_price",
        "calculated_price original_price",
    ),
}


def _categories() -> Rows:
    def gone() -> Model:
        category = CategoryFactory(name="Elm", handle="elm")
        category_tree.delete(actor=SYSTEM, category_id=category.pk)
        return category

    parent = CategoryFactory(name="Wood", handle="wood")
    made = days_apart(
        one=lambda: CategoryFactory(name="Oak", handle="oak", description="Hard", parent=parent),
        other=lambda: CategoryFactory(name="Pine", handle="pine", description="Soft"),
        gone=gone,
    )
    return {**made, "parent": parent}


def _products() -> Rows:
    belongings = {
        "collection": ProductCollectionFactory(),
        "type": ProductTypeFactory(),
        "category": CategoryFactory(),
        "tag": ProductTagFactory(),
        "channel": Store.objects.get().default_sales_channel,
    }

    def one() -> Model:
        product = ProductFactory(
            title="Oak table", handle="oak", external_id="E-1", is_giftcard=True,
            collection=belongings["collection"], type=belongings["type"], categories=[belongings["category"]],
            tags=[belongings["tag"]], sales_channels=[belongings["channel"]],
        )  # fmt: skip
        _variant(product)
        return product

    made = days_apart(
        one=one,
        other=lambda: VariantFactory(title="Pine shelf", sku="P-1").product,
        gone=lambda: ProductFactory(deleted_at=now()),
    )
    return {**made, **belongings, **_option_of(made["one"])}


def _variant(product: Any = None) -> Model:
    given = {} if product is None else {"product": product}
    option = OptionFactory(title="Size", values=["Large"], **given)
    return VariantFactory(
        product=option.product, title="Wide", sku="O-1", barcode="B-1", ean="EAN-1", upc="UPC-1", allow_backorder=True,
        manage_inventory=False, options=option.values.all(),
    )  # fmt: skip


def _option_of(product: Any) -> Rows:
    option = product.options.get()
    return {"option": option, "value": option.values.get()}


def _variants() -> Rows:
    made = days_apart(
        one=_variant,
        other=lambda: VariantFactory(title="Pine shelf", sku="P-1"),
        gone=lambda: VariantFactory(deleted_at=now()),
    )
    product = made["one"].product  # type: ignore[attr-defined]  # a variant
    return {**made, "product": product, **_option_of(product)}


def _options() -> Rows:
    made = days_apart(
        one=lambda: OptionFactory(title="Size"),
        other=lambda: OptionFactory(title="Colour"),
        gone=lambda: OptionFactory(deleted_at=now()),
    )
    return {**made, "product": made["one"].product}  # type: ignore[attr-defined]  # an option


def _options_of_product() -> Rows:
    product = ProductFactory()
    made = days_apart(
        one=lambda: OptionFactory(title="Size", product=product),
        other=lambda: OptionFactory(title="Colour", product=product),
        gone=lambda: OptionFactory(product=product, deleted_at=now()),
    )
    OptionFactory(title="Size")
    return {**made, "above": product, "product": product}


def _option_values() -> Rows:
    option = OptionFactory()
    made = days_apart(
        one=lambda: OptionValueFactory(value="Oak", option=option),
        other=lambda: OptionValueFactory(value="Pine", option=option),
        gone=lambda: OptionValueFactory(option=option, deleted_at=now()),
    )
    OptionValueFactory(value="Oak")
    return {**made, "above": option}


def _price_lists() -> Rows:
    return days_apart(
        one=lambda: PriceListFactory(
            title="Oak",
            status="draft",
            starts_at=FIRST_DAY - timedelta(days=60),
            ends_at=FIRST_DAY - timedelta(days=30),
        ),
        other=PriceListFactory,
        gone=lambda: PriceListFactory(deleted_at=now()),
    )


def _prices_of_list() -> Rows:
    sale, variant = PriceListFactory(), VariantFactory()

    def gone() -> Model:
        deleted = price(variant, 4, price_list=sale)
        deleted.deleted_at = now()
        deleted.save(update_fields=["deleted_at"])
        return deleted

    made = days_apart(
        one=lambda: price(variant, 5, price_list=sale),
        other=lambda: price(VariantFactory(), 5, "eur", price_list=sale),
        gone=gone,
    )
    price(variant, 6)
    return {**made, "above": sale, "variant": variant}


def _price_preferences() -> Rows:
    return days_apart(
        one=lambda: RegionFactory(is_tax_inclusive=True),
        other=RegionFactory,
        gone=lambda: RegionFactory(deleted_at=now()),
    )


def _levels() -> Rows:
    item = InventoryItemFactory()
    made = days_apart(
        one=lambda: InventoryLevelFactory(inventory_item=item, stocked_quantity=7),
        other=lambda: InventoryLevelFactory(inventory_item=item, stocked_quantity=4),
        gone=lambda: InventoryLevelFactory(inventory_item=item, deleted_at=now()),
    )
    InventoryLevelFactory(stocked_quantity=1)
    return {**made, "above": item, "location": made["one"].location}  # type: ignore[attr-defined]  # a level


def _items() -> Rows:
    made = days_apart(
        one=lambda: InventoryItemFactory(
            sku="O-1", title="Oak", origin_country="o", hs_code="h", mid_code="m", material="m"
        ),
        other=lambda: InventoryItemFactory(sku="P-1", title="Pine", requires_shipping=False),
        gone=lambda: InventoryItemFactory(deleted_at=now()),
    )
    return {**made, "location": InventoryLevelFactory(inventory_item=made["one"]).location}


def _reservations() -> Rows:
    made = days_apart(
        one=lambda: ReservationFactory(line_item_id="ordli_1", description="For the fair"),
        other=lambda: ReservationFactory(quantity=3),
        gone=lambda: ReservationFactory(deleted_at=now()),
    )
    one: Any = made["one"]
    return {**made, "item": one.inventory_item, "location": one.location}


_OF_CATEGORIES = {
    **ID_AND_DATES,
    "updated_at": (ID_AND_DATES["updated_at"], "one parent"),
    "q": "q=oak",
    "name": "name=Oak",
    "description": "description=Hard",
    "handle": "handle=oak",
    "parent_category_id": "parent_category_id={parent}",
}
_OF_OPTIONS = {
    **ID_AND_DATES,
    "q": "q=size",
    "title": "title=Size",
    "product_id": "product_id={product}",
    "is_exclusive": ("is_exclusive=true", "one other"),
}


def _variants_of_product() -> Rows:
    product = ProductFactory()
    VariantFactory(title="Wide")
    return {
        **days_apart(
            one=lambda: _variant(product),
            other=lambda: VariantFactory(title="Pine shelf", sku="P-1", product=product),
            gone=lambda: VariantFactory(deleted_at=now(), product=product),
        ),
        "above": product,
        **_option_of(product),
    }


def _admin_products() -> Rows:
    made = _products()
    one: Any = made["one"]
    Product.objects.filter(pk=one.pk).update(status=ProductStatus.DRAFT)
    sale = PriceListFactory()
    price(one.variants.get(), 5, price_list=sale)
    VariantFactory(product=made["gone"], deleted_at=now())
    return {**made, "sale": sale, "variant": one.variants.get()}


_OF_VARIANTS = {
    **ID_AND_DATES,
    "q": "q=wide",
    "title": "title=Wide",
    "sku": "sku=O-1",
    "barcode": "barcode=B-1",
    "ean": "ean=EAN-1",
    "upc": "upc=UPC-1",
    "product_id": "product_id={product}",
    "options[value]": "options[value]=Large",
    "options[option_id]": "options[option_id]={option}",
    "allow_backorder": "allow_backorder=true",
    "manage_inventory": "manage_inventory=false",
}
_OF_PRODUCTS = {
    **ID_AND_DATES,
    "q": "q=oak+o-1",
    "title": "title=Oak table",
    "handle": "handle=oak",
    "external_id": "external_id=E-1",
    "category_id": "category_id={category}",
    "collection_id": "collection_id={collection}",
    "type_id": "type_id={type}",
    "tag_id": "tag_id={tag}",
    "sales_channel_id": ("sales_channel_id={channel}", "one other"),
    "option_value_id": "option_value_id={value}",
    "is_giftcard": "is_giftcard=true",
    "variants[sku]": "variants[sku]=O-1",
    "variants[title]": "variants[title]=Wide",
    "variants[barcode]": "variants[barcode]=B-1",
    "variants[ean]": "variants[ean]=EAN-1",
    "variants[upc]": "variants[upc]=UPC-1",
    "variants[options][value]": "variants[options][value]=Large",
    "variants[options][option_id]": "variants[options][option_id]={option}",
    "variants[allow_backorder]": "variants[allow_backorder]=true",
    "variants[manage_inventory]": "variants[manage_inventory]=false",
}
LISTS = {
    "/store/product-categories": Filtering(_categories, _OF_CATEGORIES),
    "/store/products": Filtering(_products, _OF_PRODUCTS),
    "/store/product-variants": Filtering(_variants, _OF_VARIANTS),
    "/admin/products": Filtering(
        _admin_products,
        {
            **_OF_PRODUCTS,
            "status": "status[]=draft&status[]=proposed",
            "categories": "categories={category}",
            "option_id": "option_id={option}",
            "price_list_id": "price_list_id={sale}",
            "variants[id]": "variants[id]={variant}",
            "variants[created_at]": "variants[created_at][$lt]=2026-03-02",
            "variants[updated_at]": "variants[updated_at][$lt]=2026-03-02",
            "variants[deleted_at]": ("with_deleted=true&variants[deleted_at][$gt]=1970-01-01", "gone"),
        },
    ),
    "/admin/product-variants": Filtering(_variants, _OF_VARIANTS),
    "/admin/products/<str:id>/variants": Filtering(
        _variants_of_product, {**_OF_VARIANTS, "product_id": ("product_id={above}", "one other")}
    ),
    "/store/collections": Filtering(
        named(ProductCollectionFactory, "title", handle="oak"),
        {**ID_AND_DATES, "q": "q=oak", "title": "title=Oak", "handle": "handle=oak"},
    ),
    "/store/product-types": Filtering(
        named(ProductTypeFactory, "value"), {**ID_AND_DATES, "q": "q=oak", "value": "value=Oak"}
    ),
    "/store/product-tags": Filtering(
        named(ProductTagFactory, "value"), {**ID_AND_DATES, "q": "q=oak", "value": "value=Oak"}
    ),
    "/admin/collections": Filtering(
        named(ProductCollectionFactory, "title", handle="oak"),
        {**ID_AND_DATES, "q": "q=oak", "title": "title=Oak", "handle": "handle=oak"},
    ),
    "/admin/product-types": Filtering(
        named(ProductTypeFactory, "value"), {**ID_AND_DATES, "q": "q=oak", "value": "value=Oak"}
    ),
    "/admin/product-tags": Filtering(
        named(ProductTagFactory, "value"), {**ID_AND_DATES, "q": "q=oak", "value": "value=Oak"}
    ),
    "/store/product-options": Filtering(_options, _OF_OPTIONS),
    "/admin/product-options": Filtering(_options, _OF_OPTIONS),
    "/admin/products/<str:id>/options": Filtering(
        _options_of_product, {**_OF_OPTIONS, "product_id": ("product_id={product}", "one other")}
    ),
    "/admin/product-options/<str:id>/values": Filtering(
        _option_values,
        {**ID_AND_DATES, "q": "q=oak", "value": "value=Oak", "option_id": ("option_id={above}", "one other")},
    ),
    "/admin/product-categories": Filtering(
        _categories,
        {
            **_OF_CATEGORIES,
            "is_active": ("is_active=true", "one other parent"),
            "is_internal": ("is_internal=false", "one other parent"),
        },
    ),
    "/admin/price-lists": Filtering(
        _price_lists,
        {
            **ID_AND_DATES,
            "q": "q=oak",
            "status": "status=draft",
            "starts_at": "starts_at[$gte]=2025-12-30",
            "ends_at": "ends_at[$lte]=2026-02-01",
        },
    ),
    "/admin/price-lists/<str:id>/prices": Filtering(
        _prices_of_list,
        {
            **ID_AND_DATES,
            "updated_at": "updated_at[$lt]=2026-03-02",
            "price_list_id": ("price_list_id={above}", "one other"),
            "variant_id": "variant_id={variant}",
            "currency_code": "currency_code=USD",
        },
    ),
    "/admin/price-preferences": Filtering(
        _price_preferences,
        {**ID_AND_DATES, "q": "q={one}", "attribute": ("attribute=region_id", "one other"), "value": "value={one}"},
    ),
    "/admin/inventory-items/<str:id>/location-levels": Filtering(
        _levels,
        {
            **ID_AND_DATES,
            "updated_at": "updated_at[$lt]=2026-03-02",
            "inventory_item_id": ("inventory_item_id={above}", "one other"),
            "location_id": "location_id={location}",
        },
    ),
    "/admin/inventory-items": Filtering(
        _items,
        {
            **ID_AND_DATES,
            "updated_at": "updated_at[$lt]=2026-03-02",
            "q": "q=oak",
            "sku": "sku=O-1",
            "title": "title=Oak",
            **{name: f"{name}={name[0]}" for name in ("origin_country", "hs_code", "mid_code", "material")},
            "requires_shipping": "requires_shipping=true",
            "location_levels[location_id]": "location_levels[location_id]={location}",
        },
    ),
    "/admin/reservations": Filtering(
        _reservations,
        {
            **ID_AND_DATES,
            "inventory_item_id": "inventory_item_id={item}",
            "location_id": "location_id={location}",
            "line_item_id": "line_item_id=ordli_1",
            "q": "q=fair",
            "description": "description=For the fair",
            "created_by": ("created_by=user_x", ""),
            "quantity": "quantity[$lt]=3",
        },
    ),
}
