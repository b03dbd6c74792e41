"""REST and GraphQL answer alike: one table of cases, each asked of both. A new resource adds its lines."""

from dataclasses import dataclass

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from graphql import OperationType

from apikeys.api.resources import API_KEYS
from carts.api.admin.resources import CAMPAIGNS, PROMOTION_CODES, PROMOTIONS
from carts.api.resources import CARTS
from catalog.api import resources as catalog
from catalog.api.admin.price_preferences import PRICE_PREFERENCES
from commerce.schema import SCHEMA
from customers.api import resources as customers
from fulfillment.api.admin import resources as shipping
from fulfillment.api.resources import SHIPPING_OPTIONS
from giftcards.api.resources import (
    ADMIN_GIFT_CARDS,
    ADMIN_STORE_CREDIT_ACCOUNTS,
    GIFT_CARDS,
    STORE_CREDIT_ACCOUNTS,
    STORE_CREDIT_TRANSACTIONS,
)
from kit.domain.actor import SYSTEM
from kit.graphql.fields.reads import ReadField
from kit.reads.resources import Resource
from kit.rest.reads import List
from orders.api.resources import (
    ADMIN_ORDERS,
    ADMIN_RETURN_REASONS,
    ORDER_CHANGES,
    ORDER_ITEMS,
    ORDER_NOTES,
    ORDERS,
    REFUNDS,
    RETURN_REASONS,
)
from orders.api.resources.drafts import DRAFT_ORDERS
from orders.api.resources.edits import CLAIMS, EXCHANGES, ORDER_EDITS
from orders.api.resources.invoices import ADMIN_INVOICES
from orders.api.resources.returns import ADMIN_RETURNS
from orders.states import ChangeKind, InvoiceKind
from payments.api.resources import ADMIN_PAYMENT_PROVIDERS, PAYMENT_PROVIDERS, PAYMENTS, REFUND_REASONS
from payments.movements import refunding
from shop.api import resources as shop
from shop.api.admin.notifications import NOTIFICATIONS
from staff.api.resources import INVITES, USERS
from taxes.api.resources import TAX_PROVIDERS, TAX_RATES, TAX_REGIONS
from tests.catalog import secret_shop
from tests.conftest import MakeOnce
from tests.contract.callers import Caller
from tests.contract.routes import ROUTES, shopper
from tests.contract.shelves import stock
from tests.factories import payments
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.carts import CampaignFactory, PromotionFactory, sold_variant
from tests.factories.customers import AddressFactory, CustomerFactory, CustomerGroupFactory
from tests.factories.fulfillment import ProfileFactory
from tests.factories.giftcards import gift_card, store_credit
from tests.factories.inventory import ReservationFactory
from tests.factories.invitations import invitation
from tests.factories.invoices import document
from tests.factories.mails import sent_mail
from tests.factories.orders import order, return_reason
from tests.factories.pricing import PriceListFactory, price
from tests.factories.products import ProductFactory, VariantFactory
from tests.factories.shop import RegionFactory
from tests.factories.taxes import tax_rate
from tests.kit.graphql.calls import ask, data, failures
from tests.kit.graphql.writing import literal, one, page
from tests.orders.drafts.shop import draft
from tests.orders.exchanging import bring_back, request, send_out, started
from tests.orders.returns.shop import return_of

pytestmark = [pytest.mark.every(3), pytest.mark.once, pytest.mark.django_db]


@dataclass(frozen=True)
class Place:
    """Where a resource is read: REST's path, GraphQL's fields for a page and for one, and who may read it."""

    resource: Resource
    path: str
    many: str
    one: str
    caller: str = "store"


PLACES = {
    "draft_orders": Place(DRAFT_ORDERS, "/admin/draft-orders", "draftOrders", "draftOrder", caller="admin"),
    "categories": Place(
        catalog.PRODUCT_CATEGORIES, "/store/product-categories", "productCategories", "productCategory"
    ),
    "products": Place(catalog.PRODUCTS, "/store/products", "products", "product"),
    "variants": Place(catalog.PRODUCT_VARIANTS, "/store/product-variants", "productVariants", "productVariant"),
    "admin_products": Place(catalog.ADMIN_PRODUCTS, "/admin/products", "adminProducts", "adminProduct", caller="admin"),
    "admin_variants": Place(
        catalog.ADMIN_PRODUCT_VARIANTS,
        "/admin/product-variants",
        "adminVariants",
        "adminVariant",
        caller="admin",
    ),
    "collections": Place(catalog.COLLECTIONS, "/store/collections", "collections", "collection"),
    "types": Place(catalog.PRODUCT_TYPES, "/store/product-types", "productTypes", "productType"),
    "tags": Place(catalog.PRODUCT_TAGS, "/store/product-tags", "productTags", "productTag"),
    "admin_types": Place(
        catalog.PRODUCT_TYPES, "/admin/product-types", "adminProductTypes", "adminProductType", caller="admin"
    ),
    "admin_tags": Place(
        catalog.PRODUCT_TAGS, "/admin/product-tags", "adminProductTags", "adminProductTag", caller="admin"
    ),
    "admin_collections": Place(
        catalog.COLLECTIONS, "/admin/collections", "adminCollections", "adminCollection", caller="admin"
    ),
    "locations": Place(
        shipping.STOCK_LOCATIONS, "/admin/stock-locations", "stockLocations", "stockLocation", caller="admin"
    ),
    "profiles": Place(
        shipping.SHIPPING_PROFILES, "/admin/shipping-profiles", "shippingProfiles", "shippingProfile", caller="admin"
    ),
    "shipping_types": Place(
        shipping.SHIPPING_OPTION_TYPES,
        "/admin/shipping-option-types",
        "shippingOptionTypes",
        "shippingOptionType",
        caller="admin",
    ),
    "admin_shipping_options": Place(
        shipping.SHIPPING_OPTIONS,
        "/admin/shipping-options",
        "adminShippingOptions",
        "adminShippingOption",
        caller="admin",
    ),
    "admin_options": Place(
        catalog.ADMIN_PRODUCT_OPTIONS,
        "/admin/product-options",
        "adminProductOptions",
        "adminProductOption",
        caller="admin",
    ),
    "admin_categories": Place(
        catalog.ADMIN_PRODUCT_CATEGORIES,
        "/admin/product-categories",
        "adminProductCategories",
        "adminProductCategory",
        caller="admin",
    ),
    "price_lists": Place(catalog.PRICE_LISTS, "/admin/price-lists", "priceLists", "priceList", caller="admin"),
    "price_preferences": Place(
        PRICE_PREFERENCES, "/admin/price-preferences", "pricePreferences", "pricePreference", caller="admin"
    ),
    "options": Place(catalog.PRODUCT_OPTIONS, "/store/product-options", "productOptions", "productOption"),
    "promotions": Place(PROMOTIONS, "/admin/promotions", "promotions", "promotion", caller="admin"),
    "campaigns": Place(CAMPAIGNS, "/admin/campaigns", "campaigns", "campaign", caller="admin"),
    "regions": Place(shop.REGIONS, "/store/regions", "regions", "region"),
    "currencies": Place(shop.CURRENCIES, "/store/currencies", "currencies", "currency"),
    "addresses": Place(customers.ADDRESSES, "/store/customers/me/addresses", "addresses", "address", caller="customer"),
    "accounts": Place(
        STORE_CREDIT_ACCOUNTS,
        "/store/store-credit-accounts",
        "storeCreditAccounts",
        "storeCreditAccount",
        caller="customer",
    ),
    "orders": Place(ORDERS, "/store/orders", "orders", "order", caller="customer"),
    "all_orders": Place(ADMIN_ORDERS, "/admin/orders", "adminOrders", "adminOrder", caller="admin"),
    "reasons": Place(RETURN_REASONS, "/store/return-reasons", "returnReasons", "returnReason"),
    "cards": Place(ADMIN_GIFT_CARDS, "/admin/gift-cards", "adminGiftCards", "adminGiftCard", caller="admin"),
    "all_accounts": Place(
        ADMIN_STORE_CREDIT_ACCOUNTS,
        "/admin/store-credit-accounts",
        "adminStoreCreditAccounts",
        "adminStoreCreditAccount",
        caller="admin",
    ),
    "admin_reasons": Place(
        ADMIN_RETURN_REASONS, "/admin/return-reasons", "adminReturnReasons", "adminReturnReason", caller="admin"
    ),
    "returns": Place(ADMIN_RETURNS, "/admin/returns", "returns", "return", caller="admin"),
    "invoices": Place(ADMIN_INVOICES, "/admin/invoices", "adminInvoices", "adminInvoice", caller="admin"),
    "exchanges": Place(EXCHANGES, "/admin/exchanges", "exchanges", "exchange", caller="admin"),
    "claims": Place(CLAIMS, "/admin/claims", "claims", "claim", caller="admin"),
    "refund_reasons": Place(REFUND_REASONS, "/admin/refund-reasons", "refundReasons", "refundReason", caller="admin"),
    "customers": Place(
        customers.ADMIN_CUSTOMERS, "/admin/customers", "adminCustomers", "adminCustomer", caller="admin"
    ),
    "groups": Place(
        customers.CUSTOMER_GROUPS, "/admin/customer-groups", "customerGroups", "customerGroup", caller="admin"
    ),
    "admin_regions": Place(shop.ADMIN_REGIONS, "/admin/regions", "adminRegions", "adminRegion", caller="admin"),
    "admin_currencies": Place(shop.CURRENCIES, "/admin/currencies", "adminCurrencies", "adminCurrency", caller="admin"),
    "channels": Place(shop.SALES_CHANNELS, "/admin/sales-channels", "salesChannels", "salesChannel", caller="admin"),
    "stores": Place(shop.STORES, "/admin/stores", "stores", "store", caller="admin"),
    "payments": Place(PAYMENTS, "/admin/payments", "payments", "payment", caller="admin"),
    "users": Place(USERS, "/admin/users", "users", "user", caller="admin"),
    "invites": Place(INVITES, "/admin/invites", "invites", "invite", caller="admin"),
    "notifications": Place(NOTIFICATIONS, "/admin/notifications", "notifications", "notification", caller="admin"),
    "keys": Place(API_KEYS, "/admin/api-keys", "apiKeys", "apiKey", caller="admin"),
    "tax_regions": Place(TAX_REGIONS, "/admin/tax-regions", "taxRegions", "taxRegion", caller="admin"),
    "tax_rates": Place(TAX_RATES, "/admin/tax-rates", "taxRates", "taxRate", caller="admin"),
    "items": Place(
        catalog.INVENTORY_ITEMS, "/admin/inventory-items", "inventoryItems", "inventoryItem", caller="admin"
    ),
    "reservations": Place(catalog.RESERVATIONS, "/admin/reservations", "reservations", "reservation", caller="admin"),
}

NULLS = "limit: null, offset: null, order: null, withDeleted: null, q: null, createdAt: null, and: null, or: null"
EMPTY = "createdAt: {}, and: [{}], or: [{}, {createdAt: {in: []}}]"
_OF_DRAFTS = "display_id,total,summary,created_at,*shipping_address,*items.tax_lines,*shipping_methods,*customer"
_OF_ORDERS = "display_id,total,*summary,*shipping_address,*credit_lines,*payment_collections"
_OF_CLAIMS = "type,order_id,return_id,*claim_items,*additional_items,*shipping_methods,*order.summary,*return.items"
FIELDS_OF_ONE = {
    "orders": _OF_ORDERS,
    "claims": _OF_CLAIMS,
    "draft_orders": _OF_DRAFTS,
    "all_orders": f"{_OF_ORDERS},*transactions,*fulfillments.delivery_address",
}
"""For more, aliases with REST's names are too many for one document; tests/orders/test_graphql.py compares all."""
FIELDS_OF_PAGES = {
    "claims": _OF_CLAIMS,
    "draft_orders": _OF_DRAFTS,
    "all_orders": f"{_OF_ORDERS},*items.tax_lines,*shipping_methods",
}


def _dated(arguments: str, place: str) -> str:
    """Of documents, the moment when they were issued."""
    return arguments.replace("createdAt", "issuedAt") if place == "invoices" else arguments


UNSEARCHED = ("accounts", "orders", "reservations", "returns", "exchanges", "claims")
PAGES: list[tuple[str, str, str, str | None]] = [
    # place, REST's query, GraphQL's arguments, REST's fields
    *((place, "", "", None) for place in PLACES),
    *((place, "limit=1&offset=1", "limit: 1, offset: 1", None) for place in PLACES),
    *((place, "limit=0", "limit: 0", "code" if place.endswith("currencies") else "id") for place in PLACES),
    *((place, "", _dated(EMPTY, place), None) for place in PLACES if place != "reasons"),
    *((place, "", _dated(NULLS.replace("q: null, ", "") if place in UNSEARCHED else NULLS, place), None)
      for place in PLACES if place != "reasons"),
    ("categories", "order=-name", 'order: "-name"', "name,rank,metadata"),
    ("categories", "order=-parent_category.name", 'order: "-parentCategory.name"', "name,parent_category.name"),
    ("categories", "parent_category_id=null", "parentCategoryId: null", "name,category_children.name"),
    ("categories", "handle=fruit", 'handle: "fruit"', None),
    ("categories", "handle[]=fruit&handle[]=pears&handle[]=none", 'handle: ["fruit", "pears", "none"]', "name"),
    ("categories", "q=fresh", 'q: "fresh"', "name,description"),
    ("categories", "id[$gt]=pcat_01&id[$lt]=pcat_Z&id[$nin][]=pcat_1&order=id",
     'idFilter: {gt: "pcat_01", lt: "pcat_Z", nin: ["pcat_1"]}, order: "id"', "name"),
    ("categories", "$or[0][id][$lte]=a&$or[1][id][$in]=pcat_1&$or[1][id][$ne]=pcat_2",
     'or: [{idFilter: {lte: "a"}}, {id: ["pcat_1"], idFilter: {ne: "pcat_2"}}]', "name"),
    ("categories", "", "id: null, idFilter: {gt: null, nin: []}", "name"),
    ("categories", "created_at[$gt]=2026-03-03&created_at[$lte]=2026-03-07T12:00:00.250Z",
     'createdAt: {gt: "2026-03-03", lte: "2026-03-07T12:00:00.250Z"}', "name,created_at"),
    ("categories", "created_at[$in][]=2026-03-03T12:00:00.250Z&created_at[$in][]=2026-03-05",
     'createdAt: {in: ["2026-03-03T12:00:00.250Z", "2026-03-05"]}', "name"),
    ("categories", "$or[0][handle]=fruit&$or[1][parent_category_id]=null&$or[1][q]=drink",
     'or: [{handle: "fruit"}, {parentCategoryId: null, q: "drink"}]', "name"),
    ("categories", "$and[0][$or][0][name]=Fruit&$and[0][$or][1][name]=Food&q=fresh",
     'and: {or: [{name: "Fruit"}, {name: "Food"}]}, q: "fresh"', "name"),
    ("categories", "with_deleted=true", "withDeleted: true", "name,deleted_at"),
    ("categories", "", "", "category_children.category_children.category_children.category_children.name"),
    ("products", "is_giftcard=false", "isGiftcard: false", "title"),
    ("products", "is_giftcard=true", "isGiftcard: true", "title"),
    ("products", "", "", "*variants,*variants.options,*images,*categories,*tags,*type,*collection"),
    ("products", "country_code=us", 'countryCode: "us"', "title,*variants.calculated_price"),
    ("products", "currency_code=EUR", 'currencyCode: "EUR"', "title,*variants.calculated_price"),
    ("variants", "country_code=us", 'countryCode: "us"', "*calculated_price,+inventory_quantity"),
    ("addresses", "city=Ulm", 'city: "Ulm"', None),
    ("addresses", "country_code[]=de&country_code[]=us", 'countryCode: ["de", "us"]', "city,country_code"),
    ("addresses", "postal_code=null&order=-city", 'postalCode: null, order: "-city"', "city,metadata"),
    ("addresses", "q=ulm", 'q: "ulm"', "address_name,city"),
    ("categories", "", "name: null, handle: null, updatedAt: {gt: null, lte: null}", "name"),
    ("categories", "q=fresh", 'or: [{name: null, q: "fresh", createdAt: {gt: null}}]', "name"),
    ("categories", "handle=fruit", 'or: [{}, {handle: "fruit", and: []}], id: [], parentCategoryId: []', "name"),
    ("variants", "", "options: {}, or: [{options: {value: []}}]", "title"),
    ("products", "", "isGiftcard: null, regionId: null, title: null", "title"),
    ("products", "collection_id=null&external_id=null", "collectionId: null, externalId: null", "title"),
    ("products", "province=US-ny", 'province: "US-ny"', "title,*variants.calculated_price"),
    ("variants", "options[value]=Shown small", 'options: {value: "Shown small"}', "title"),
    ("variants", "options[value][]=Shown small&options[value][]=x&options[option_id]=x",
     'options: {value: ["Shown small", "x"], optionId: "x"}', "title"),
    ("variants", "options[value]=Shown large", 'options: {value: "Shown large", optionId: null}', "title"),
    ("variants", "", "options: {value: null}", "title"),
    ("currencies", "code=USD", 'code: "USD"', "code"),
    ("currencies", "code[]=USD&code[]=eur", 'code: ["USD", "eur"]', "code"),
    ("regions", "currency_code=Usd", 'currencyCode: "Usd"', "name"),
    ("accounts", "currency_code=EUR", 'currencyCode: "EUR"', None),
    ("accounts", "order=-balance", 'order: "-balance"', "balance,currency_code,*transaction_groups"),
    ("accounts", "order=customer.email", 'order: "customer.email"', "customer.email,transaction_groups.account.id"),
    ("accounts", "$or[0][currency_code]=usd&$or[1][created_at][$lt]=2020-01-01",
     'or: [{currencyCode: "usd"}, {createdAt: {lt: "2020-01-01"}}]', "*customer.store_credit_accounts"),
    ("orders", "limit=10&offset=0&order=-created_at", 'limit: 10, offset: 0, order: "-createdAt"',
     "display_id,*summary,*items.detail,*items.variant"),
    ("orders", "status=pending&payment_status=captured", 'status: "pending", paymentStatus: "captured"', "id"),
    ("orders", "$or[0][fulfillment_status]=shipped&$or[1][created_at][$gt]=2020-01-01",
     'or: [{fulfillmentStatus: "shipped"}, {createdAt: {gt: "2020-01-01"}}]', "display_id,customer.email,cart.id"),
    ("orders", "order=-shipping_address.city", 'order: "-shippingAddress.city"',
     ("*promotions,*fulfillments,*payment_collections.payments.captures,*payment_collections.payment_sessions,"
     "*payment_collections.payment_providers,gift_card_total,gift_card_tax_total,item_discount_total")),
    ("all_orders", "q=ann&total[$gt]=10.5&display_id[$in][]=1&display_id[$in][]=2&order=-total",
     'q: "ann", total: {gt: 10.5}, displayId: {in: [1, 2]}, order: "-total"', "display_id,email,*customer,*region"),
    ("all_orders", "$or[0][total][$lte]=0&$or[1][q]=mug&order=-customer.email",
     'or: [{total: {lte: 0}}, {q: "mug"}], order: "-customer.email"', "*transactions,*sales_channel,no_notification"),
    ("invoices", "q=ann&kind[]=invoice&kind[]=credit_note&order=-total",
     'q: "ann", kind: ["invoice", "credit_note"], order: "-total"', "number,issued_on,seller,*lines,*taxes"),
    ("reservations", "line_item_id=ordli_1&order=-quantity", 'lineItemId: "ordli_1", order: "-quantity"',
     "quantity,*inventory_item.location_levels"),
    ("reservations", "line_item_id=null", "lineItemId: null", "inventory_item.stocked_quantity"),
    ("cards", "status=pending&customer_id=null&order=-value",
     'status: "pending", customerId: null, order: "-value"', "code,value,note,metadata,customer.email"),
    ("all_accounts", "currency_code=USD&order=-balance", 'currencyCode: "USD", order: "-balance"',
     "balance,customer.email,transaction_groups.code"),
    ("admin_reasons", "parent_return_reason_id=null&value=reason_0",
     'parentReturnReasonId: null, value: "reason_0"', "value,label,metadata,return_reason_children.value"),
    ("returns", "status[]=requested&status[]=open&order=-display_id",
     'status: ["requested", "open"], order: "-displayId"', "display_id,order_id,items.quantity"),
    ("refund_reasons", "q=broken&order=-code", 'q: "broken", order: "-code"', "code,label,description,metadata"),
    ("payments", "order=-created_at", 'order: "-createdAt"',
     "*payment_collection,*payment_session,*refunds.refund_reason"),
    ("customers", "has_account=true&email=SHOPPER@example.com&order=-created_at",
     'hasAccount: true, email: "SHOPPER@example.com", order: "-createdAt"', "email,note,*addresses,groups.name"),
    ("groups", "q=trade&order=-name", 'q: "trade", order: "-name"', "name,is_tax_exempt,customers.email"),
    ("promotions", "application_method[currency_code]=null&order=-code",
     'applicationMethod: {currencyCode: null}, order: "-code"', "code,*application_method,*rules,*campaign.budget"),
    ("campaigns", "order=-name", 'order: "-name"', "name,*budget,promotions.code"),
    ("channels", "is_disabled=false&order=name", 'isDisabled: false, order: "name"', "name,description,metadata"),
    ("stores", "", "", "name,*supported_currencies.currency"),
    ("keys", "type=secret&order=title", 'type: "secret", order: "title"', "title,type,sales_channels.name"),
]  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def stocked(make_once: MakeOnce) -> None:
    """Something of everything, and things that must not show beside it."""
    make_once(fill)


def fill() -> None:
    stock()
    secret_shop.build()
    ProductFactory(title="Another")
    ProfileFactory()
    RegionFactory(countries=["us", "ca"])
    RegionFactory(name="Nowhere")
    publishable_key(title="Second")
    secret_key(title="Third")
    invitation()
    AddressFactory(customer=shopper(), city="Ulm", country_code="de", province="de-bw", postal_code=None)
    AddressFactory(customer=shopper(), is_default_billing=True, metadata={"floor": 3})
    AddressFactory(city="Ulm")
    for code, amount in (("usd", 20), ("eur", "3.5"), ("jpy", 500)):
        store_credit(shopper(), amount, currency_code=code)
    store_credit(CustomerFactory())
    shopper().groups.set([CustomerGroupFactory(name="Trade"), CustomerGroupFactory(name="Club")])
    order(shopper(), captured=True)
    order(shopper())
    document(order(CustomerFactory()), kind=InvoiceKind.CREDIT_NOTE)
    document(order(shopper()))
    return_reason("small", "Too small", parent_return_reason=return_reason())
    return_of()
    for kind in (ChangeKind.EXCHANGE, ChangeKind.CLAIM):
        bring_back(change := started(kind))
        send_out(change)
        request(change)
    tax_rate("us", 8, "us-ny")
    ReservationFactory(line_item_id="ordli_1")
    ReservationFactory()
    price(VariantFactory(), 5, price_list=PriceListFactory(rules={"region_id": ["reg_x"]}))
    sent_mail()
    draft(sold_variant(10))
    draft()
    gift_card(20)
    gift_card(30, customer_id=shopper().pk)
    PromotionFactory(campaign=CampaignFactory(budget_type="usage"))
    broken = payments.refund_reason("broken", "Arrived broken")
    refunding.refund(actor=SYSTEM, payment_id=payments.captured_payment().pk, refund_reason_id=broken.pk)


@pytest.fixture
def callers(store: Caller, signed_in: Caller, admin: Caller) -> dict[str, Caller]:
    admin.get(
        "/admin/api-keys", "limit=0"
    )  # the first use of a secret key is written down, further ones for a minute not
    return {"store": store, "customer": signed_in, "admin": admin}


@pytest.mark.parametrize(("place", "query", "arguments", "fields"), PAGES)
def test_pages_are_equal(
    place: str, query: str, arguments: str, fields: str | None, callers: dict[str, Caller]
) -> None:
    at = PLACES[place]
    fields = FIELDS_OF_PAGES.get(place) if fields is None else fields
    wanted = "" if fields is None else f"fields={fields}&"
    with CaptureQueriesContext(connection) as by_rest:
        rest = callers[at.caller].get(at.path, wanted + query)
    assert rest.status_code == 200, rest.content
    with CaptureQueriesContext(connection) as by_graphql:
        response = ask(callers[at.caller], page(at.resource, at.many, arguments, fields))
    assert data(response)[at.many] == rest.json()
    assert len(by_graphql) == len(by_rest) > 0
    if not arguments:
        assert rest.json()["count"] >= 1


@pytest.mark.parametrize("place", PLACES)
def test_the_numbers_of_a_page_come_without_its_rows(place: str, callers: dict[str, Caller]) -> None:
    at = PLACES[place]
    rest = callers[at.caller].get(at.path, "offset=1").json()
    numbers = data(ask(callers[at.caller], f"{{ {at.many}(offset: 1) {{ count estimateCount offset limit }} }}"))
    assert list(numbers[at.many].values()) == [rest[name] for name in ("count", "estimate_count", "offset", "limit")]


def test_a_currency_is_known_by_its_code_in_any_letter_case(callers: dict[str, Caller]) -> None:
    rest = callers["store"].get("/store/currencies/USD", "fields=code").json()
    assert rest == data(ask(callers["store"], '{ currency(code: "USD") { code } }')) == {"currency": {"code": "usd"}}


@pytest.mark.parametrize("place", PLACES)
def test_single_resources_are_equal(place: str, callers: dict[str, Caller]) -> None:
    at = PLACES[place]
    key = at.resource.serializer_class.Meta.model._meta.pk.attname
    for row in callers[at.caller].get(at.path).json()[at.resource.plural][:3]:
        fields = FIELDS_OF_ONE.get(place)
        rest = callers[at.caller].get(f"{at.path}/{row[key]}", f"fields={fields}" if fields else "")
        assert rest.status_code == 200, rest.content
        response = ask(callers[at.caller], one(at.resource, at.one, f"{key}: {literal(row[key])}", fields))
        assert data(response) == rest.json()


MANY = range(51)
REFUSALS: list[tuple[str, str, str]] = [
    # place, REST's query, GraphQL's arguments
    ("categories", "limit=1001", "limit: 1001"),
    ("categories", "limit=-1", "limit: -1"),
    ("categories", "offset=-1", "offset: -1"),
    ("categories", "order=nope", 'order: "nope"'),
    ("categories", "order=-", 'order: "-"'),
    ("categories", "created_at=soon", 'createdAt: {eq: "soon"}'),
    ("categories", "q=" + "a" * 1001, f'q: "{"a" * 1001}"'),
    ("categories", "&".join(f"$or[{each}][name]=a" for each in MANY), "or: [" + '{name: "a"} ' * len(MANY) + "]"),
    ("categories", "$or[0][$or][0][$or][0][$or][0][$or][0][q]=a", 'or: {or: {or: {or: {or: {q: "a"}}}}}'),
    ("categories", "created_at[$gt]=soon", 'createdAt: {gt: "soon", lt: null}'),
    ("products", "province=ny", 'province: "ny"'),
    ("products", "region_id=nowhere", 'regionId: "nowhere"'),
    ("products", "country_code=xx", 'countryCode: "xx"'),
    ("accounts", "created_at[$gt]=soon", 'createdAt: {gt: "soon"}'),
    ("accounts", "order=transaction_groups", 'order: "transaction_groups"'),
    ("payments", "order=captures", 'order: "captures"'),
    ("keys", "type=other", 'type: "other"'),
    ("orders", "status=nope", 'status: "nope"'),
    ("orders", "created_at[$gt]=soon", 'createdAt: {gt: "soon"}'),
    ("orders", "order=items", 'order: "items"'),
    ("returns", "status=nope", 'status: "nope"'),
    ("all_orders", "total[$gt]=0.00001", "total: {gt: 0.00001}"),
    ("all_orders", "total=100000000001", "total: {eq: 100000000001}"),
]


@pytest.mark.parametrize(("place", "query", "arguments"), REFUSALS)
def test_refusals_are_equal(place: str, query: str, arguments: str, callers: dict[str, Caller]) -> None:
    at = PLACES[place]
    rest = callers[at.caller].get(at.path, query)
    assert rest.status_code == 400
    response = ask(callers[at.caller], f"{{ {at.many}({arguments}) {{ count }} }}")
    assert failures(response) == [(at.many, rest.json()["message"], {"type": rest.json()["type"]})]
    assert response.json()["data"] == {at.many: None}


@pytest.mark.parametrize("place", PLACES)
def test_what_cannot_be_found_is_reported_alike(place: str, callers: dict[str, Caller]) -> None:
    at = PLACES[place]
    key = at.resource.serializer_class.Meta.model._meta.pk.attname
    rest = callers[at.caller].get(f"{at.path}/nobody")
    response = ask(callers[at.caller], f'{{ {at.one}({key}: "nobody") {{ __typename }} }}')
    assert failures(response) == [(at.one, rest.json()["message"], {"type": "not_found"})]
    assert (rest.status_code, response.json()["data"]) == (404, {at.one: None})


def test_every_resource_of_either_transport_stands_in_the_table() -> None:
    listing = (route for route in ROUTES if "list" in route.actions.values())
    rest = {route.endpoint.resource for route in listing if issubclass(route.endpoint, List)}
    graphql = {root.resource for root in SCHEMA.roots[OperationType.QUERY].values() if isinstance(root, ReadField)}
    places = {place.resource for place in PLACES.values()}
    nobody_lists = {CARTS, GIFT_CARDS, shipping.SERVICE_ZONES, ORDER_EDITS}  # REST lists edits among ORDER_CHANGES
    lists_alone = {  # of a cart, region, item, option, price list, promotion, order or account, and of the settings
        SHIPPING_OPTIONS,
        PAYMENT_PROVIDERS,
        ADMIN_PAYMENT_PROVIDERS,
        shipping.FULFILLMENT_PROVIDERS,
        shop.ADMIN_LOCALES,
        catalog.INVENTORY_LEVELS,
        catalog.PRODUCT_OPTION_VALUES,
        catalog.PRICES_OF_LISTS,
        ORDER_CHANGES,
        ORDER_ITEMS,
        ORDER_NOTES,
        PROMOTION_CODES,
        REFUNDS,
        STORE_CREDIT_TRANSACTIONS,
        TAX_PROVIDERS,
    }
    assert rest == graphql - nobody_lists == places | lists_alone
