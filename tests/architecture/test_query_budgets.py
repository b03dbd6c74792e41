"""How many SQL statements a read costs: two, the key's check among them, and one for each relation, whatever the rows.

BEGIN, COMMIT and SAVEPOINT do not count. A cold cache of compiled statements costs none: compiling asks nothing.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.db import connection

from apikeys.last_used import secret_keys
from apikeys.models import ApiKey
from carts.details.line_replacement import WantedLine
from carts.lines.lines import NewLineItem
from carts.models import Cart, Promotion, PromotionCode, PromotionRule
from catalog.models import InventoryLevel, ProductCategory, Reservation
from customers.models import Customer, CustomerAddress, CustomerGroup
from giftcards.cards.issuing import Terms, issue, issue_for_line
from kit.domain.actor import SYSTEM
from kit.rest.reads import List, Retrieve
from kit.values.ids import new_id
from orders.models import (
    GrantedRefund,
    Invoice,
    Order,
    OrderChange,
    OrderChangeAction,
    OrderLineItem,
    RefundPart,
    Return,
    ReturnItem,
    ReturnReason,
)
from orders.states import ChangeKind
from payments.models import Capture, Payment, PaymentSession, Refund, RefundReason
from shop.models import Country, Region, SalesChannel, StockLocation, Store
from staff.models import Invitation, User
from tests.architecture.many_credits import stock_credit
from tests.architecture.many_products import stock_products
from tests.architecture.many_shipping_options import stock_shipping
from tests.contract.callers import Caller, importer, storefront
from tests.contract.routes import ROUTES, shopper
from tests.factories import carts, payments
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.customers import token_of
from tests.factories.inventory import InventoryItemFactory
from tests.factories.invoices import document
from tests.factories.mails import sent_mail
from tests.factories.orders import order, return_reason
from tests.factories.staff import UserFactory
from tests.orders.drafts.shop import draft
from tests.orders.exchanging import bring_back, request, send_out, sent_by, started
from tests.orders.placed import placed
from tests.orders.returns.shop import return_of

pytestmark = [pytest.mark.every(3), pytest.mark.django_db]

TREES = "include_ancestors_tree=true&include_descendants_tree=true"
MIXED = (
    "q=name&created_at[$gt]=1970-01-01&$or[0][parent_category_id]=null&$or[1][handle][]=a&order=-parent_category.rank"
)
STORE_READS = [
    ("fields=id", 2),
    ("fields=name,metadata,created_at", 2),
    ("fields=-parent_category,-category_children", 2),
    ("fields=id,category_children.id", 3),
    ("fields=id,parent_category.metadata", 3),
    ("fields=*category_children", 4),
    ("", 4),
    (TREES, 4),
    ("fields=id,category_children.category_children.id", 4),
    ("fields=id,category_children.parent_category.id", 3),
    ("fields=id,category_children.category_children.category_children.category_children.id", 6),
]
PRICED = "*variants.calculated_price,%2Bvariants.inventory_quantity,*variants.images"
PRODUCT_READS = [
    ("fields=id", 2),
    ("", 10),
    (f"fields={PRICED}", 15),  # the default region, prices, the sale, stock, images
    (f"fields={PRICED}&country_code=de", 16),
    ("country_code=de", 14),
    ("fields=title,handle&country_code=de", 4),
    ("fields=id,variants.id,variants.calculated_price.calculated_amount&currency_code=eur", 6),
    ("fields=id,categories.parent_category.name,variants.options.option.product.id", 7),
]
BUDGETS: dict[str, list[tuple[str, int]]] = {
    "/store/product-categories": [
        *STORE_READS,
        (f"fields=id&{MIXED}", 2),
        (MIXED, 4),
        ("fields=id&handle=handle-5", 2),
        ("fields=id&handle=unknown", 3),  # it might be a former one
        (f"{TREES}&with_deleted=true", 4),
        ("fields=id&limit=1000&order=name", 2),
        ("fields=id&id=nobody", 2),
        ("fields=id&limit=0", 2),
        ("fields=id&offset=100000", 3),  # without a row, the count has to come by itself
        ("fields=id,products.id", 3),
    ],
    "/store/product-categories/<str:id>": STORE_READS,
    "/store/products": [
        *PRODUCT_READS,
        ("fields=id&variants[sku]=a&variants[options][value]=b&collection_id[]=null&collection_id[]=c", 2),
        ("fields=id&q=product&category_id=nobody&tag_id=nobody&option_value_id=nobody&is_giftcard=false", 2),
        ("fields=id&limit=0", 2),
        ("fields=id&handle=stocked-5", 2),
        ("fields=id&handle[]=stocked-5&handle[]=stocked-6&title=unknown", 3),
        ("fields=id&handle=unknown&offset=5", 4),  # without a row, the count has to come by itself
        ("fields=id&handle=unknown&limit=0", 2),
        ("fields=id&$or[0][handle]=unknown&$or[1][title]=unknown", 2),
    ],
    "/store/products/<str:id>": PRODUCT_READS,
    "/store/product-variants": [("fields=id", 2), ("", 3), ("fields=*product,*calculated_price,inventory_quantity", 7)],
    "/store/product-variants/<str:id>": [("", 3), ("fields=*product,*options.option,*calculated_price,*images", 9)],
    "/store/product-options": [("", 3), ("fields=*values,*product&q=size", 4)],
    "/store/product-options/<str:id>": [("", 3)],
    "/store/collections": [
        ("", 2),
        ("handle=unknown", 3),
        ("fields=*products", 3),
        ("fields=*products.variants&order=title", 4),
    ],
    "/store/collections/<str:id>": [("", 2), ("fields=*products.variants.calculated_price", 7)],
    "/store/product-types": [("", 2)],
    "/store/product-types/<str:id>": [("", 2)],
    "/store/product-tags": [("", 2), ("q=tag", 2)],
    "/store/product-tags/<str:id>": [("", 2)],
    "/store/regions": [("", 3), ("fields=id", 2), ("fields=*payment_providers&q=a&order=-currency_code", 4)],
    "/store/regions/<str:id>": [("", 3), ("fields=*countries,*payment_providers", 4)],
    "/store/currencies": [("", 2), ("q=dollar&order=name", 3)],
    "/store/currencies/<str:code>": [("", 2)],
    "/store/customers/me/addresses": [
        ("", 3),
        ("q=elm&city=Ulm&$or[0][country_code]=de&$or[1][postal_code]=1&order=-created_at", 4),
    ],
    "/store/customers/me/addresses/<str:address_id>": [("", 3), ("fields=id", 3)],
    "/store/gift-cards/<str:id_or_code>": [  # the guesser's count besides
        ("", 3),
        ("fields=id,note,customer.id,line_item.id", 5),
        ("fields=line_item.detail.item.id,line_item.tax_lines.item.id", 6),
    ],
    "/store/store-credit-accounts": [
        ("fields=id", 3),
        ("", 4),
        ("fields=*customer,*transaction_groups,transaction_groups.account.id&order=-balance&currency_code[]=usd", 5),
        ("fields=id&limit=0", 3),
        ("fields=id&offset=100000", 4),
    ],
    "/store/store-credit-accounts/<str:id>": [("", 4), ("fields=*transaction_groups", 5)],
    "/store/carts/<str:id>": [("fields=id", 2), ("", 9), ("fields=id,items.id,items.adjustments.id", 3)],
    "/store/orders": [
        ("fields=id", 3),
        ("", 6),  # lines, their taxes, their discounts
        ("limit=10&offset=0&order=-created_at&fields=*items,%2Bitems.metadata,*items.variant,*items.product", 8),
        ("status=pending&payment_status=authorized&$or[0][fulfillment_status]=shipped&fields=id", 3),
    ],
    "/store/orders/<str:id>": [
        ("fields=id", 4),  # the guesser's count besides
        ("", 11),
        ("fields=*payment_collections.payments,*items,*items.metadata,*items.variant,*items.product", 14),
    ],
    "/store/orders/<str:id>/invoices": [("fields=id", 5), ("fields=*lines,*taxes", 7)],
    "/store/orders/<str:id>/invoices/<str:invoice_id>": [("", 9)],  # a page, which reads all lines and taxes
    "/store/return-reasons": [("fields=id", 2), ("", 4)],
    "/store/return-reasons/<str:id>": [("", 4)],
    "/admin/orders": [
        ("fields=id", 3),  # with the progress of lines
        ("", 8),  # lines, their taxes, their discounts, shipping methods, collections
        ("q=ann&total[$gt]=1&customer_id=nobody&email=nobody&order=-total&fields=id", 2),
        ("limit=50&fields=*customer,*region,*sales_channel,*transactions,*fulfillments", 14),
    ],
    "/admin/orders/<str:id>": [("fields=id", 3), ("", 14)],
    "/admin/orders/<str:id>/changes": [("", 7)],
    "/admin/orders/<str:id>/line-items": [("", 6)],
    "/admin/orders/<str:id>/notes": [("", 3)],
    "/admin/orders/<str:id>/refunds": [("", 4)],
    "/admin/orders/<str:id>/refunds/<str:refund_id>": [("", 3)],
    "/admin/invoices": [
        ("", 2),
        ("fields=*lines,*taxes,*seller&order=-total", 4),
        ("q=ann&kind=invoice&fields=id,pdf_created_at", 2),
    ],
    "/admin/invoices/<str:id>": [("fields=id", 2), ("", 4)],
    "/admin/return-reasons": [("fields=id", 2), ("", 4), ("q=a&fields=id", 3)],
    "/admin/return-reasons/<str:id>": [("", 4)],
    "/admin/returns": [("", 3), ("fields=*items,*items.reason,*items.item&status=requested&order=-created_at", 5)],
    "/admin/returns/<str:id>": [("", 4), ("fields=id", 2)],
    "/admin/draft-orders": [("fields=id", 2), ("", 13), ("q=nobody&region_id=nobody&order=-created_at&fields=id", 3)],
    "/admin/draft-orders/<str:id>": [("", 13)],
    "/admin/exchanges": [("", 5), ("fields=id", 2)],
    "/admin/exchanges/<str:id>": [("", 5), ("fields=*return.items,*additional_items.item", 9)],
    "/admin/claims": [("", 8), ("fields=id", 2)],
    "/admin/claims/<str:id>": [("", 8)],
    "/admin/products": [
        ("fields=id,title,handle,status,*collection,*sales_channels,variants.id,thumbnail&limit=20", 5),
        ("", 10),
        ("q=a&status[]=draft&variants[sku]=A&sales_channel_id=sc_x&fields=id", 2),
    ],
    "/admin/products/<str:id>": [("", 12), ("fields=id,*variants.inventory_items.inventory.location_levels", 6)],
    "/admin/products/<str:id>/variants": [("", 6), ("fields=id,inventory_quantity", 3)],
    "/admin/products/<str:id>/variants/<str:variant_id>": [("", 6)],
    "/admin/product-variants": [("", 6)],
    "/admin/product-variants/<str:id>": [("", 6)],
    "/admin/product-types": [("", 2)],
    "/admin/product-types/<str:id>": [("", 2)],
    "/admin/product-tags": [("", 2), ("q=tag", 2)],
    "/admin/product-tags/<str:id>": [("", 2)],
    "/admin/collections": [("", 2), ("fields=*products", 3)],
    "/admin/collections/<str:id>": [("", 2)],
    "/admin/inventory-items": [("", 3), ("fields=id&q=item&requires_shipping=true", 3)],
    "/admin/inventory-items/<str:id>": [("", 3)],
    "/admin/tax-regions": [("", 6), ("fields=id&parent_id=null&q=fr", 2)],
    "/admin/tax-regions/<str:id>": [("", 6)],
    "/admin/tax-rates": [("", 4)],
    "/admin/tax-rates/<str:id>": [("", 4)],
    "/admin/tax-providers": [("", 1)],
    "/admin/price-lists": [("", 6), ("fields=id,title&q=sale", 3)],
    "/admin/price-lists/<str:id>": [("", 6)],
    "/admin/price-lists/<str:id>/prices": [("", 4)],
    "/admin/stock-locations": [
        ("", 3),
        ("fields=*sales_channels,*fulfillment_providers,*fulfillment_sets.service_zones.shipping_options.prices", 9),
    ],
    "/admin/stock-locations/<str:id>": [("", 3)],
    "/admin/fulfillment-sets/<str:id>/service-zones/<str:zone_id>": [("", 6)],
    "/admin/fulfillment-providers": [("", 2)],
    "/admin/shipping-options": [("", 9), ("is_return=false&admin_only=true&stock_location_id=a&q=nobody", 9)],
    "/admin/shipping-options/<str:id>": [("", 9)],
    "/admin/shipping-option-types": [("", 2)],
    "/admin/shipping-option-types/<str:id>": [("", 2)],
    "/admin/shipping-profiles": [("", 2)],
    "/admin/shipping-profiles/<str:id>": [("", 2)],
    "/admin/customers": [
        ("fields=id", 2),
        ("", 3),
        ("q=ann&has_account=true&groups=nobody&email=nobody&order=-created_at&fields=*addresses,*groups", 5),
    ],
    "/admin/customers/<str:id>": [("", 3), ("fields=*groups", 4)],
    "/admin/customers/<str:id>/addresses": [("", 3)],
    "/admin/customers/<str:id>/addresses/<str:address_id>": [("", 3)],
    "/admin/customer-groups": [("fields=id", 2), ("", 3), ("q=a&customers=nobody&order=-name&fields=id", 3)],
    "/admin/customer-groups/<str:id>": [("", 3)],
    "/admin/regions": [("fields=id", 2), ("", 4)],
    "/admin/regions/<str:id>": [("", 4)],
    "/admin/sales-channels": [("", 2), ("q=a&publishable_key_id=nobody&location_id=nobody", 3)],
    "/admin/sales-channels/<str:id>": [("", 2)],
    "/admin/stores": [("fields=id", 2), ("", 3)],
    "/admin/stores/<str:id>": [("", 3)],
    "/admin/currencies": [("", 2)],
    "/admin/currencies/<str:code>": [("", 2)],
    "/admin/notifications/<str:id>": [("", 2)],
    "/admin/notifications": [("", 2), ("channel=feed&fields=id", 2)],
    "/admin/locales": [("", 1)],
    "/admin/locales/<str:code>": [("", 1)],
    "/admin/price-preferences": [("", 3), ("q=eur&order=-value", 3)],
    "/admin/price-preferences/<str:id>": [("", 3)],
    "/admin/product-options": [("", 3), ("q=size", 3)],
    "/admin/product-options/<str:id>": [("", 3)],
    "/admin/products/<str:id>/options": [("", 3)],
    "/admin/product-options/<str:id>/values": [("", 2)],
    "/admin/product-options/<str:id>/values/<str:value_id>": [("", 2)],
    "/admin/product-categories": [("", 4), ("include_descendants_tree=true&fields=*category_children", 4)],
    "/admin/product-categories/<str:id>": [("", 4)],
    "/admin/promotions": [("fields=id", 2), ("", 5), ("q=a&order=-code&fields=id", 3)],
    "/admin/promotions/<str:id>": [("", 5)],
    "/admin/promotions/<str:id>/codes": [("", 3), ("q=a&order=-code", 4)],
    "/admin/promotions/<str:id>/codes/<str:code_id>": [("", 2)],
    "/admin/campaigns": [("fields=id", 2), ("", 2), ("fields=*promotions", 3)],
    "/admin/campaigns/<str:id>": [("", 2)],
    "/admin/refund-reasons": [("", 2), ("q=a&order=-label", 3)],
    "/admin/refund-reasons/<str:id>": [("", 2)],
    "/admin/gift-cards": [("fields=id", 2), ("", 3), ("q=nobody&status=pending&order=-value&fields=id", 3)],
    "/admin/gift-cards/<str:id>": [("", 3)],
    "/admin/store-credit-accounts": [("fields=id", 2), ("", 3), ("fields=*transaction_groups&order=-balance", 4)],
    "/admin/store-credit-accounts/<str:id>": [("", 3), ("fields=*transaction_groups", 4)],
    "/admin/store-credit-accounts/<str:id>/transactions": [("", 3)],
    "/admin/payments": [
        ("fields=id", 2),
        ("", 5),
        ("q=nobody&payment_session_id=nobody&order=-created_at&fields=id", 3),
        ("fields=*payment_collection,*payment_session", 7),
    ],
    "/admin/payments/<str:id>": [("", 5)],
    "/admin/payments/payment-providers": [("", 2)],
    "/admin/inventory-items/<str:id>/location-levels": [("fields=id&limit=1000", 2), ("limit=1000", 2)],
    "/admin/reservations": [
        ("fields=id", 2),
        ("", 3),
        ("fields=*inventory_item.location_levels&order=-quantity&limit=10", 4),
    ],
    "/admin/reservations/<str:id>": [("", 3)],
    "/admin/users": [("fields=id", 2), ("", 3), ("fields=id,roles&q=staff&order=-email", 4)],
    "/admin/users/<str:id>": [("", 3)],
    "/admin/invites": [("fields=id", 2), ("", 3), ("fields=id,roles&q=example&order=-expires_at", 4)],
    "/admin/invites/<str:id>": [("", 3)],
    "/admin/api-keys": [("fields=id", 2), ("", 3), ("fields=id,sales_channels.name&q=a&type=secret&order=-title", 4)],
    "/admin/api-keys/<str:id>": [("fields=id", 2), ("", 3)],
}
"""The most statements by route: the credential's check, the page with its count, and one for each relation.

`q` costs one more where the rows are few and their texts are read to be searched.
"""


def test_every_reading_route_has_a_budget() -> None:
    reading = {route.path for route in ROUTES if issubclass(route.endpoint, List | Retrieve) and "get" in route.actions}
    of_a_cart_or_region = {"/store/shipping-options", "/store/payment-providers"}  # test_{shipping,payment}_budgets.py
    of_documents = {f"/store/orders/<str:id>/invoices{rest}" for rest in ("", "/<str:invoice_id>")}  # one order's
    assert reading | of_documents == {*BUDGETS, *of_a_cart_or_region}


@contextmanager
def statements() -> Iterator[list[str]]:
    """The texts of all that is run, without those that open and close transactions."""
    seen: list[str] = []

    def spy(execute: Callable[..., Any], text: str, *rest: Any) -> Any:
        if not text.startswith(("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")):
            seen.append(text.strip())
        return execute(text, *rest)

    with connection.execute_wrapper(spy):
        yield seen


def stock(amount: int) -> dict[str, str]:
    """So many rows of everything that the store shows; one of each, by the path of its list."""
    category, region = stock_categories(amount), stock_regions(amount)
    categories = list(ProductCategory.objects.values_list("pk", flat=True))
    products = stock_products(amount, categories=categories, region_id=region)
    cart = stock_cart(amount)
    return {
        "/store/product-categories": category,
        "/store/regions": region,
        "/store/currencies": "usd",
        "/store/carts": cart,
        "/store/return-reasons": stock_reasons(amount),
        "/store/gift-cards": stock_cards(amount, line_id=placed(customer=shopper()).items.get().pk),
        **products,
    }


def stock_cart(amount: int) -> str:
    """A cart with so many lines, taxed and with neither address nor promotion."""
    mug, region = carts.sold_variant(), carts.selling_region(name="Ours", tax_rate=5)
    return carts.cart(*(NewLineItem(mug.pk, 1, {"number": number}) for number in range(amount)), region_id=region.pk).pk


def stock_reasons(amount: int) -> str:
    """So many reasons below one; the last."""
    parent = return_reason()
    return ReturnReason.objects.bulk_create(
        ReturnReason(value=f"value_{number}", label="A", parent_return_reason=parent) for number in range(amount)
    )[-1].pk


def know_amounts() -> None:
    """As a server does by itself with committed rows: planned for empty tables, joins of full ones take minutes.

    On PostgreSQL it waits for the locks of another test process on the catalogs that all databases share.
    """
    with connection.cursor() as cursor:
        is_postgresql = connection.vendor == "postgresql"
        if is_postgresql:
            cursor.execute("SET lock_timeout = 0")
        cursor.execute("ANALYZE")
        if is_postgresql:
            cursor.execute("RESET lock_timeout")


def stock_regions(amount: int) -> str:
    """So many regions, each with a provider, with all countries among the last of them."""
    regions = Region.objects.bulk_create(Region(name=f"Place {number}", currency_id="eur") for number in range(amount))
    link = Region.payment_providers.through
    link.objects.bulk_create(link(region=region, paymentprovider_id="pp_system_default") for region in regions)
    for number, country in enumerate(Country.objects.all()):
        Country.objects.filter(pk=country.pk).update(region=regions[-1 - number % 10])
    Store.objects.update(default_region=regions[-1])
    return regions[-1].pk


def stock_categories(amount: int) -> str:
    """So many categories, a tenth of them roots, each with nine others in a chain; the id of one in the middle."""
    made: list[ProductCategory] = []
    for number in range(amount):
        above = made[-1] if number % 10 else None
        key = new_id("pcat")
        made.append(
            ProductCategory(
                id=key,
                name=f"Name {number}",
                handle=f"handle-{number}",
                path=f"{above.path}.{key}" if above else key,
                parent_category=above,
                rank=0 if above else number // 10,
                is_visible=True,
                metadata={"number": number},
            )
        )
    ProductCategory.objects.bulk_create(made)
    return made[5].pk


def stock_keys(amount: int) -> dict[str, str]:
    """So many keys, each with two channels; one of them, by the path of the list."""
    channels = SalesChannel.objects.bulk_create(SalesChannel(name=f"Channel {number}") for number in range(10))
    keys = ApiKey.objects.bulk_create(
        ApiKey(type="publishable", title=f"Key {number}", token=f"pk_{number}", digest=str(number), redacted="a")
        for number in range(amount)
    )
    link = ApiKey.sales_channels.through
    link.objects.bulk_create(
        link(apikey_id=key.pk, saleschannel_id=channels[(number + step) % 10].pk)
        for number, key in enumerate(keys)
        for step in (0, 1)
    )
    return {"/admin/api-keys": keys[-1].pk}


def stock_people(amount: int) -> dict[str, str]:
    """So many users and invitations, each with two roles; one of each, by the path of the list."""
    roles = Group.objects.bulk_create(Group(name=f"Role {number}") for number in range(2))
    users = User.objects.bulk_create(User(email=f"staff-{number}@example.org") for number in range(amount))
    invites = Invitation.objects.bulk_create(
        Invitation(email=f"eve{number}@example.com", invited_by=users[0]) for number in range(amount)
    )
    for rows, link in ((users, User.groups.through), (invites, Invitation.groups.through)):
        column = f"{rows[0]._meta.model_name}_id"
        link.objects.bulk_create(link(**{column: row.pk, "group_id": role.pk}) for row in rows for role in roles)
    return {"/admin/users": users[-1].pk, "/admin/invites": invites[-1].pk}


def stock_staff(amount: int) -> dict[str, str]:
    """So many of all that staff read."""
    reasons = RefundReason.objects.bulk_create(RefundReason(code=f"code_{n}", label="A") for n in range(amount))
    return {
        **stock_keys(amount),
        **stock_people(amount),
        "/admin/return-reasons": stock_reasons(amount),
        "/admin/refund-reasons": reasons[-1].pk,
        **stock_promotions(amount),
        **stock_customers(amount),
        "/admin/regions": stock_regions(amount),
        "/admin/sales-channels": SalesChannel.objects.latest("pk").pk,
        "/admin/stores": Store.objects.get().pk,
        "/admin/currencies": "usd",
        "/admin/locales": "en",
        "/admin/notifications": sent_mail().pk,
        "/admin/returns": stock_returns(amount),
        "/admin/draft-orders": stock_drafts(amount),
        "/admin/exchanges": stock_exchanges(amount, ChangeKind.EXCHANGE, "oexc"),
        "/admin/claims": stock_exchanges(amount, ChangeKind.CLAIM, "claim"),
        "/admin/payments": stock_payments(amount, reasons[-1]),
        "/admin/gift-cards": stock_owned_cards(amount),
        "/admin/store-credit-accounts": stock_credit(shopper(), groups=amount)[0].pk,
        "/admin/payments/payment-providers": "",
        **stock_refunds(order_id := stock_orders(amount), amount),
        **stock_documents(order_id, amount),
        **stock_warehouses(amount),
        **stock_shipping(amount),
    }


def stock_promotions(amount: int) -> dict[str, str]:
    """So many promotions of one campaign, each with a rule, and the last with as many codes."""
    campaign, promotion = carts.CampaignFactory(), carts.PromotionFactory()
    made = Promotion.objects.bulk_create(copied(promotion, code=f"C{n}", campaign=campaign) for n in range(amount))
    PromotionRule.objects.bulk_create(
        PromotionRule(promotion=each, kind="rules", attribute="item_quantity", operator="gte", values=["2"])
        for each in made
    )
    codes = PromotionCode.objects.bulk_create(
        PromotionCode(promotion=made[-1], code=f"A{n}", code_key=f"A{n}") for n in range(amount)
    )
    return {"/admin/promotions": made[-1].pk, "/admin/campaigns": campaign.pk, "code_id": codes[-1].pk}


def stock_returns(amount: int) -> str:
    """So many returns of one order, each of one unit; the last."""
    first = return_of()
    [item] = first.items.all()
    made = Return.objects.bulk_create(copied(first, display_id=number) for number in range(2, amount + 2))
    ReturnItem.objects.bulk_create(copied(item, of_return_id=each.pk, reason=return_reason()) for each in made)
    return made[-1].pk


def stock_drafts(amount: int) -> str:
    """So many drafts, and one with as many lines: this one."""
    first = draft(*(WantedLine(1, title=f"Job {number}", unit_price=Decimal(1)) for number in range(amount)))
    nowhere = {"shipping_address_id": None, "billing_address_id": None}
    Cart.objects.bulk_create(copied(first, draft_number=number, **nowhere) for number in range(2, amount + 2))
    return str(first.pk)


def stock_exchanges(amount: int, kind: ChangeKind, prefix: str) -> str:
    """So many exchanges or claims of one order, confirmed; the last."""
    first = started(kind)
    for act in (bring_back, send_out, sent_by, request):
        act(first)
    first.refresh_from_db()
    back = first.returns.get()
    made = OrderChange.objects.bulk_create(copied(first, display_id=number) for number in range(2, amount + 2))
    OrderChangeAction.objects.bulk_create(
        copied(action, change_id=each.pk) for each in made for action in first.actions.all()
    )
    returns = Return.objects.bulk_create(
        copied(back, display_id=number, change_id=each.pk) for number, each in enumerate(made, start=2)
    )
    ReturnItem.objects.bulk_create(copied(item, of_return_id=each.pk) for each in returns for item in back.items.all())
    return made[-1].pk.replace("ordch", prefix)


def stock_refunds(order_id: str, amount: int) -> dict[str, str]:
    """So many refunds of an order, each in one part; the order, and the last of them."""
    made = GrantedRefund.objects.bulk_create(GrantedRefund(order_id=order_id, amount=1) for _ in range(amount))
    payment = Payment.objects.get(collection__order_id=order_id)
    RefundPart.objects.bulk_create(RefundPart(refund=each, rank=1, amount=1, payment=payment) for each in made)
    return {"/admin/orders": order_id, "refund_id": made[-1].pk}


def stock_warehouses(amount: int) -> dict[str, str]:
    """An item in so many warehouses, with so many reservations in one of them."""
    item = InventoryItemFactory()
    places = StockLocation.objects.bulk_create(StockLocation(name=f"Shed {number}") for number in range(amount))
    InventoryLevel.objects.bulk_create(InventoryLevel(inventory_item=item, location=each) for each in places)
    reserved = Reservation.objects.bulk_create(
        Reservation(inventory_item=item, location=places[0], quantity=1) for _ in range(amount)
    )
    return {"/admin/inventory-items": item.pk, "/admin/reservations": reserved[-1].pk}


def stock_payments(amount: int, reason: RefundReason) -> str:
    """So many payments of one collection, each captured and refunded."""
    first = payments.captured_payment()
    sessions = PaymentSession.objects.bulk_create(copied(first.session) for _ in range(amount))
    made = Payment.objects.bulk_create(copied(first, session_id=each.pk) for each in sessions)
    for movement, given in ((Capture, {}), (Refund, {"refund_reason": reason})):
        movement.objects.bulk_create(movement(payment=each, amount=Decimal(1), **given) for each in made)
    return made[-1].pk


def stock_addresses(amount: int) -> dict[str, str]:
    """So many addresses of the customer; one of them, by the path of the list."""
    customer = shopper()
    made = CustomerAddress.objects.bulk_create(
        CustomerAddress(customer=customer, city=f"City {number}", metadata={"number": number})
        for number in range(amount)
    )
    return {"/store/customers/me/addresses": made[-1].pk}


def stock_customers(amount: int) -> dict[str, str]:
    """So many customers in one of as many groups, with an address each, and one with as many; the last of each."""
    groups = CustomerGroup.objects.bulk_create(CustomerGroup(name=f"Group {number}") for number in range(amount))
    made = Customer.objects.bulk_create(Customer(email=f"guest{number}@example.com") for number in range(amount))
    made[0].groups.through.objects.bulk_create(
        made[0].groups.through(customer=each, customergroup=groups[-1]) for each in made
    )
    CustomerAddress.objects.bulk_create(CustomerAddress(customer=each, city="Ulm") for each in made)
    addresses = CustomerAddress.objects.bulk_create(CustomerAddress(customer=made[-1]) for _ in range(amount))
    keys = {"/admin/customers": made[-1].pk, "/admin/customer-groups": groups[-1].pk}
    return {**keys, "address_id": addresses[-1].pk}


def stock_cards(amount: int, *, line_id: str) -> str:
    """So many cards, bought as one line; the code of the last."""
    return issue_for_line(
        actor=SYSTEM, terms=Terms(value=Decimal(5 * amount), currency_code="usd"), line_item_id=line_id, units=amount
    )[-1].code


def stock_owned_cards(amount: int) -> str:
    """So many cards of one customer; the id of the last."""
    terms = Terms(value=Decimal(5), currency_code="usd", customer_id=shopper().pk)
    return issue(actor=SYSTEM, terms=terms, count=amount)[-1].pk


def stock_belongings(amount: int) -> dict[str, str]:
    """So many of all that a customer has."""
    return {
        **stock_addresses(amount),
        "/store/store-credit-accounts": stock_credit(shopper(), groups=amount)[0].pk,
        "/store/orders": (order_id := stock_orders(amount)),
        "invoice_id": stock_documents(order_id, amount)["invoice_id"],
    }


def stock_documents(order_id: str, amount: int) -> dict[str, str]:
    """So many documents of an order, with a line and a tax each; the last."""
    first = document(Order.objects.get(pk=order_id))
    made = Invoice.objects.bulk_create(copied(first, number=number) for number in range(2, amount + 2))
    for rows in (first.lines, first.taxes):
        [row] = rows.all()
        type(row).objects.bulk_create(copied(row, invoice_id=each.pk) for each in made)
    return {"/admin/invoices": made[-1].pk, "invoice_id": made[-1].pk}


def stock_orders(amount: int) -> str:
    """So many orders of the customer, a line each, and one with all parts; the id of that."""
    whole = order(shopper(), captured=True)
    made = [
        copied(whole, cart_id=f"cart_{number}", display_id=whole.display_id + 1 + number) for number in range(amount)
    ]
    for each in made:
        each.shipping_address = each.billing_address = None
    Order.objects.bulk_create(made)
    line = whole.items.first()
    OrderLineItem.objects.bulk_create(copied(line, order_id=each.pk, detail_id=f"d_{each.pk}") for each in made)
    return whole.pk


def copied(row: Any, **changed: Any) -> Any:
    """A new row with the values of that one, save for those that are changed."""
    own = {field.attname for field in row._meta.concrete_fields} - {"id"}
    return type(row)(**{**{name: getattr(row, name) for name in own}, **changed})


def customer() -> Caller:
    return Caller(x_publishable_api_key=publishable_key().token, Authorization=f"Bearer {token_of(shopper())}")


def store() -> Caller:
    return storefront(publishable_key())


def admin() -> Caller:
    return importer(secret_key(UserFactory(is_superuser=True)))


AREAS: dict[str, tuple[Callable[[int], dict[str, str]], Callable[[], Caller]]] = {
    "store": (stock, store),
    "customer": (stock_belongings, customer),
    "admin": (stock_staff, admin),
}
CASES = [(path, query, budget) for path, budgets in BUDGETS.items() for query, budget in budgets]


@pytest.mark.parametrize("amount", [10, 1000])
@pytest.mark.parametrize("area", AREAS)
def test_a_read_keeps_to_its_budget(area: str, amount: int, monkeypatch: pytest.MonkeyPatch) -> None:
    make_rows, make_caller = AREAS[area]
    keys, caller = make_rows(amount), make_caller()
    know_amounts()
    monkeypatch.setattr(secret_keys, "record_use", lambda key_id: None)  # it writes once a minute, so in any read
    over = []
    for path, query, budget in CASES:
        listed, _, one = path.partition("/<str:")
        if listed in keys:
            limit = "&limit=1000" if "limit=" not in query and not one else ""
            with statements() as texts:
                below = one.partition(">")[2]
                for name in ("refund_id", "address_id", "zone_id", "code_id", "invoice_id"):
                    below = below.replace(f"<str:{name}>", keys.get(name, ""))
                response = caller.get(f"{listed}/{keys[listed]}{below}" if one else listed, query + limit)
            assert response.status_code == 200, (path, query, response.content)
            if len(texts) > budget:
                over.append((path, query, budget, texts))
    assert [(p, q, b, len(t)) for p, q, b, t in over] == []


def test_an_expanded_page_of_a_thousand_rows_is_whole() -> None:
    stock_categories(1000)
    listed = (
        store()
        .get("/store/product-categories", f"{TREES}&limit=1000&fields=name,*parent_category,*category_children")
        .json()
    )
    assert (listed["count"], len(listed["product_categories"])) == (1000, 1000)
    roots = [category for category in listed["product_categories"] if category["parent_category"] is None]
    depths = []
    for root in roots:
        depth, below = 0, root["category_children"]
        while below:
            depth, below = depth + 1, below[0]["category_children"]
        depths.append(depth)
    assert depths == [9] * 100


def test_a_read_writes_nothing() -> None:
    key, caller = stock_categories(20), store()
    with statements() as texts:
        for query, _ in STORE_READS:
            caller.get("/store/product-categories", query)
            caller.get(f"/store/product-categories/{key}", query)
    assert {text.partition(" ")[0].partition("\n")[0] for text in texts} == {"SELECT"}
    assert len(texts) >= len(STORE_READS) * 4
