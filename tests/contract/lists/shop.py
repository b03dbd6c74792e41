"""Lists of what is set up for a shop, and of customers."""

from django.db.models import Model

from apikeys.api.serializers import ApiKeySerializer
from apikeys.revocation import revoke
from carts.api.admin.serializers import (
    AdminPromotionSerializer,
    CampaignSerializer,
    PromotionCodeSerializer,
)
from carts.api.serializers import CartSerializer
from catalog.api.serializers import (
    CalculatedPriceSerializer,
)
from customers.api.serializers import (
    AddressSerializer,
    AdminCustomerSerializer,
    CustomerGroupSerializer,
    CustomerSerializer,
)
from fulfillment.api.serializers import (
    FulfillmentProviderSerializer,
    ServiceZoneSerializer,
    ShippingOptionSerializer,
    ShippingOptionTypeSerializer,
)
from kit.domain.actor import SYSTEM
from kit.reads.declarations.fields import ResourceSerializerClass
from kit.values.timestamps import now
from shop.api.admin.notifications import NotificationSerializer
from shop.api.serializers import (
    AdminLocaleSerializer,
    AdminRegionSerializer,
    AdminSalesChannelSerializer,
    CurrencySerializer,
    RegionSerializer,
    SalesChannelSerializer,
    StoreSerializer,
)
from shop.models import Currency, StockLocation, Store
from tests.contract.lists.contract import (
    DATED,
    DATES,
    ID_AND_DATES,
    NONE_DELETED,
    RECORD,
    Contract,
    Filtering,
    Rows,
    days_apart,
    named,
)
from tests.contract.routes import shopper
from tests.factories import carts, fulfillment
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.customers import AddressFactory, CustomerFactory, CustomerGroupFactory
from tests.factories.mails import sent_mail
from tests.factories.shop import RegionFactory, SalesChannelFactory

CONTRACTS: dict[ResourceSerializerClass, Contract] = {
    RegionSerializer: Contract(
        f"id name currency_code countries payment_providers {RECORD}", "countries payment_providers"
    ),
    CurrencySerializer: Contract(
        f"code symbol symbol_native name decimal_digits rounding {DATED} deleted_at", "symbol symbol_native rounding"
    ),
    AddressSerializer: Contract(
        "id address_name is_default_shipping is_default_billing customer_id company first_name last_name address_1 "
        f"address_2 city country_code province postal_code phone metadata {DATED}"
    ),
    CustomerSerializer: Contract(
        "id email default_billing_address_id default_shipping_address_id company_name first_name last_name phone "
        f"tax_number has_account addresses {RECORD} store_credit_accounts orders",
        "tax_number addresses store_credit_accounts orders",
    ),
    ApiKeySerializer: Contract(
        "id token redacted title type last_used_at created_by created_at revoked_by revoked_at updated_at deleted_at "
        "permissions sales_channels",
        "permissions sales_channels",
    ),
    NotificationSerializer: Contract(
        "id to channel template data trigger_type resource_id resource_type receiver_id original_notification_id "
        "external_id provider_id created_at sent_at",
        "channel data trigger_type resource_id resource_type receiver_id original_notification_id external_id "
        "provider_id",
    ),
    CartSerializer: Contract(
        "id region_id customer_id sales_channel_id email currency_code locale shipping_address_id billing_address_id "
        "completed_at item_total item_subtotal item_tax_total original_item_total original_item_subtotal "
        "original_item_tax_total shipping_total shipping_subtotal shipping_tax_total original_shipping_total "
        "original_shipping_subtotal original_shipping_tax_total credit_line_total credit_line_subtotal "
        "credit_line_tax_total gift_card_total item_discount_total shipping_discount_total items region customer "
        "shipping_address billing_address shipping_methods promotions skipped_promo_codes credit_lines metadata "
        "total subtotal tax_total discount_total discount_subtotal discount_tax_total original_total "
        f"original_subtotal original_tax_total {DATED} payment_collection"
    ),
    ShippingOptionSerializer: Contract(
        "id name price_type service_zone_id provider_id shipping_profile_id amount is_tax_inclusive data "
        "insufficient_inventory provider type prices calculated_price service_zone",
        "data provider type prices calculated_price service_zone",
        {
            "provider": FulfillmentProviderSerializer,
            "type": ShippingOptionTypeSerializer,
            "calculated_price": CalculatedPriceSerializer,
            "service_zone": ServiceZoneSerializer,
        },
    ),
    FulfillmentProviderSerializer: Contract("id is_enabled"),
    AdminSalesChannelSerializer: Contract(f"description is_disabled id name {RECORD}"),
    SalesChannelSerializer: Contract("id name"),
    AdminRegionSerializer: Contract(
        f"tax_rate is_tax_inclusive automatic_taxes id name currency_code countries payment_providers {RECORD}",
        "automatic_taxes countries payment_providers",
    ),
    AdminLocaleSerializer: Contract(f"code name {DATED} deleted_at"),
    StoreSerializer: Contract(
        "id name supported_currencies supported_locales default_sales_channel_id default_region_id "
        f"default_location_id metadata {DATED}",
        "supported_currencies supported_locales default_location_id",
    ),
    AdminCustomerSerializer: Contract(
        "note groups id email default_billing_address_id default_shipping_address_id company_name first_name last_name "
        f"phone tax_number has_account addresses {RECORD} is_tax_exempt tax_exempt_countries tax_exempt_until",
        "groups addresses",
    ),
    CustomerGroupSerializer: Contract(
        f"id name customers is_tax_exempt tax_exempt_countries tax_exempt_until {RECORD}", "customers"
    ),
    AdminPromotionSerializer: Contract(
        "id code type status is_automatic has_codes is_tax_inclusive starts_at ends_at limit limit_per_customer used "
        f"priority combines_with campaign_id campaign application_method rules {RECORD}",
        "combines_with campaign application_method rules",
        {"campaign": CampaignSerializer},
    ),
    CampaignSerializer: Contract(
        f"id name description currency campaign_identifier starts_at ends_at budget promotions {RECORD}",
        "budget promotions",
    ),
    PromotionCodeSerializer: Contract(f"id promotion_id code usage_limit used {DATED} deleted_at"),
    ShippingOptionTypeSerializer: Contract("id label description code"),
    ServiceZoneSerializer: Contract("id fulfillment_set_id fulfillment_set", "fulfillment_set"),
}


def _addresses() -> Rows:
    ulm = {"city": "Ulm", "country_code": "de", "province": None, "postal_code": "89073", "company": "Wood"}
    return days_apart(
        one=lambda: AddressFactory(customer=shopper(), **ulm), other=lambda: AddressFactory(customer=shopper())
    )


def _any_addresses() -> Rows:
    rows = _addresses()
    return {**rows, "above": shopper().pk}


def _codes() -> Rows:
    promotion = carts.PromotionFactory(has_codes=True)
    rows = days_apart(
        one=lambda: carts.promotion_code(promotion, "Oak"),
        other=lambda: carts.promotion_code(promotion, "Elm"),
        gone=lambda: carts.promotion_code(promotion, "Ash", deleted_at=now()),
    )
    return {**rows, "above": promotion.pk}


def _customers() -> Rows:
    named_so = {"email": "oak@example.com", "first_name": "Oak", "last_name": "Tree", "company_name": "Wood"}
    rows = days_apart(
        one=lambda: CustomerFactory(**named_so, has_account=False),
        other=CustomerFactory,
        gone=lambda: CustomerFactory(deleted_at=now(), has_account=False),
    )
    group = CustomerGroupFactory()
    group.customers.add(rows["one"])  # type: ignore[arg-type]  # a customer
    return {**rows, "group": group}


def _groups() -> Rows:
    rows = named(CustomerGroupFactory, "name")()
    customer = CustomerFactory()
    customer.groups.add(rows["one"])
    return {**rows, "customer": customer}


def _channels() -> Rows:
    rows = named(SalesChannelFactory, "name", description="Wood", is_disabled=True)()
    key = publishable_key(rows["one"]).key  # type: ignore[arg-type]  # a channel
    place = StockLocation.objects.create(name="Shed")
    place.sales_channels.add(rows["one"])
    return {**rows, "key": key, "place": place}


def _keys() -> Rows:
    def one() -> Model:
        key = publishable_key(title="Oak").key
        revoke(actor=SYSTEM, key_id=key.pk)
        return type(key).objects.get(pk=key.pk)

    made = days_apart(one=one, other=lambda: secret_key(title="Pine").key)
    return {**made, "token": made["one"].token}  # type: ignore[attr-defined]  # a key


def _shipping_options() -> Rows:
    return {
        "one": fulfillment.option(rules=(("is_return", "eq", "true"),)),
        "other": fulfillment.option(),
        "cart": carts.cart(),
    }


CURRENCIES = Filtering(
    lambda: {"one": Currency.objects.get(pk="usd"), "other": Currency.objects.get(pk="eur")},
    {
        "created_at": ("created_at[$lt]=2026-03-02", ""),
        "updated_at": ("updated_at[$gt]=2026-03-02", "one other"),
        "deleted_at": NONE_DELETED,
        "q": "q=us+dollar",
        "code": "code=USD",
    },
)
_PLACE_CASES: dict[str, str | tuple[str, str]] = {
    "company": "company=Wood",
    "city": "city=Ulm",
    "province": "province=null",
    "country_code": "country_code=de",
    "postal_code": "postal_code=89073",
}


def _notifications() -> Rows:
    sent_mail(sent_at=None)
    return days_apart(
        one=lambda: sent_mail("order_shipped", recipient="b…@example.com", created_at=now()),
        other=lambda: sent_mail(created_at=now()),
    )


LISTS = {
    "/store/regions": Filtering(
        named(RegionFactory, "name", currency_id="eur"),
        {**ID_AND_DATES, "q": "q=oak", "name": "name=Oak", "currency_code": "currency_code=EUR"},
    ),
    "/store/currencies": CURRENCIES,
    "/store/customers/me/addresses": Filtering(
        _addresses,
        {
            **ID_AND_DATES,
            "deleted_at": NONE_DELETED,
            "q": "q=ulm",
            **_PLACE_CASES,
        },
    ),
    "/admin/customers/<str:id>/addresses": Filtering(
        _any_addresses, {**ID_AND_DATES, "deleted_at": NONE_DELETED, "q": "q=ulm", **_PLACE_CASES}
    ),
    "/admin/customers": Filtering(
        _customers,
        {
            **ID_AND_DATES,
            "q": "q=oak",
            "email": "email=OAK@example.com",
            "company_name": "company_name=Wood",
            "first_name": "first_name=Oak",
            "last_name": "last_name=Tree",
            "has_account": "has_account=false",
            "groups": "groups={group}",
        },
    ),
    "/admin/customer-groups": Filtering(
        _groups, {**ID_AND_DATES, "q": "q=oak", "name": "name=Oak", "customers": "customers={customer}"}
    ),
    "/admin/regions": Filtering(
        named(RegionFactory, "name", currency_id="eur"),
        {**ID_AND_DATES, "q": "q=oak", "name": "name=Oak", "currency_code": "currency_code=EUR"},
    ),
    "/admin/promotions": Filtering(
        named(carts.PromotionFactory, "code", currency_id="eur", campaign_id=None),
        {
            **ID_AND_DATES,
            "q": "q=oak",
            "code": "code=Oak",
            "campaign_id": ("campaign_id=procamp_1", ""),
            "application_method[currency_code]": "application_method[currency_code]=eur",
        },
    ),
    "/admin/promotions/<str:id>/codes": Filtering(
        _codes,
        {**ID_AND_DATES, "q": "q=oak", "code": "code=Oak", "promotion_id": ("promotion_id={above}", "one other")},
    ),
    "/admin/campaigns": Filtering(
        named(carts.CampaignFactory, "campaign_identifier", budget_type="spend", budget_currency_id="eur"),
        {
            **ID_AND_DATES,
            "q": "q=oak",
            "campaign_identifier": "campaign_identifier=Oak",
            "budget[currency_code]": "budget[currency_code]=eur",
        },
    ),
    "/admin/sales-channels": Filtering(
        _channels,
        {
            **ID_AND_DATES,
            "q": "q=oak",
            "name": "name=Oak",
            "description": "description=Wood",
            "is_disabled": "is_disabled=true",
            "location_id": "location_id={place}",
            "publishable_key_id": "publishable_key_id={key}",
        },
    ),
    "/admin/stores": Filtering(
        lambda: {"one": Store.objects.get()},
        {
            "id": "id={one}",
            "created_at": "created_at[$gt]=2026-03-02",
            "updated_at": "updated_at[$gt]=2026-03-02",
            "deleted_at": NONE_DELETED,
            "q": "q=stor",
            "name": "name=Store",
        },
    ),
    "/admin/currencies": CURRENCIES,
    "/admin/notifications": Filtering(
        _notifications,
        {
            "id": "id={one}",
            "created_at": DATES["created_at"],
            "q": "q=shipped",
            "channel": ("channel[]=email&channel[]=feed", "one other"),
            "to": "to=b%E2%80%A6@example.com",
        },
    ),
    "/admin/locales": Filtering(lambda: {"one": "en"}, {}),
    "/store/shipping-options": Filtering(
        _shipping_options,
        {"cart_id": ("", "other"), "is_return": ("is_return=true", "one other")},
        base="cart_id={cart}",
    ),
    "/admin/api-keys": Filtering(
        _keys,
        {
            **ID_AND_DATES,
            "updated_at": "updated_at[$lt]=2026-03-02",
            "deleted_at": NONE_DELETED,
            "q": "q=oak",
            "token": "token={token}",
            "title": "title=Oak",
            "type": "type=publishable",
            "revoked_at": "revoked_at[$gt]=1970-01-01",
        },
    ),
}
