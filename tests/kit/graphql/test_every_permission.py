"""Every field of the schema that is for staff, asked for by those who may not: it is refused, and nothing is done."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission
from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInputType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLScalarType,
    OperationType,
    is_required_argument,
    is_required_input_field,
)

from commerce.operations.roles.role_setup import set_up_roles
from commerce.operations.roles.roles import ROLES
from commerce.schema import SCHEMA
from tests.contract.callers import NOBODY, Caller, importer, storefront
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.staff import UserFactory
from tests.kit.graphql.calls import ask, failures, is_unauthorized

pytestmark = [pytest.mark.once, pytest.mark.django_db]

MAINTAINED = {
    ("Campaign", "Campaigns"): "carts.campaign",
    ("Promotion", "Promotions"): "carts.promotion",
    ("Collection", "Collections"): "catalog.productcollection",
    ("Customer", "Customers"): "customers.customer",
    ("CustomerGroup", "CustomerGroups"): "customers.customergroup",
    ("PriceList", "PriceLists"): "catalog.pricelist",
    ("ProductOption", "ProductOptions"): "catalog.productoption",
    ("Product", "Products"): "catalog.product",
    ("Variant", "Variants"): "catalog.productvariant",
    ("ProductTag", "ProductTags"): "catalog.producttag",
    ("ProductType", "ProductTypes"): "catalog.producttype",
    ("RefundReason", "RefundReasons"): "payments.refundreason",
    ("Region", "Regions"): "shop.region",
    ("ReturnReason", "ReturnReasons"): "orders.returnreason",
    ("SalesChannel", "SalesChannels"): "shop.saleschannel",
    ("ShippingOption", "ShippingOptions"): "fulfillment.shippingoption",
    ("ShippingOptionType", "ShippingOptionTypes"): "fulfillment.shippingoptiontype",
    ("ShippingProfile", "ShippingProfiles"): "shop.shippingprofile",
    ("StockLocation", "StockLocations"): "shop.stocklocation",
    ("InventoryItem", "InventoryItems"): "catalog.inventoryitem",
    ("Reservation", "Reservations"): "catalog.reservation",
    ("TaxRate", "TaxRates"): "taxes.taxrate",
    ("TaxRegion", "TaxRegions"): "taxes.taxregion",
}
"""The models of rows that are deleted one by one, and written in batches."""
NAMED_BY_THE_STORE = {"Customer", "Customers"}


def _maintained(act: str, noun: str, model: str) -> tuple[str, str]:
    app, name = model.split(".")
    prefix, verb = ("admin", act.capitalize()) if noun in NAMED_BY_THE_STORE else ("", act)
    return f"{prefix}{verb}{noun}", f"{app}.{'delete' if act == 'delete' else 'change'}_{name}"


STAFF_ACTIONS = {
    **dict(_maintained("delete", one, model) for (one, _), model in MAINTAINED.items()),
    **dict(_maintained("batch", many, model) for (_, many), model in MAINTAINED.items()),
    "batchPromotionRules": "carts.change_promotion",
    "createPromotionCodes": "carts.add_promotioncode",
    "deletePromotionCode": "carts.delete_promotioncode",
    "batchInventoryLevels": "catalog.change_inventorylevel",
    "batchPriceListPrices": "catalog.change_price",
    "batchPricePreferences": "shop.change_region",
    "batchVariantInventoryItems": "catalog.change_inventoryitem",
    "createOrderPaymentLink": "payments.change_paymentcollection",
    "deletePaymentCollection": "payments.change_paymentcollection",
    "deleteDraftOrder": "carts.manage_draft",
    "deletePricePreference": "shop.change_region",
    "deleteProductCategory": "catalog.delete_productcategory",
    "deleteProductOptionValue": "catalog.delete_productoptionvalue",
    "deleteApiKey": "apikeys.delete_apikey",
    "deleteInvite": "staff.delete_invitation",
    "deleteUser": "staff.delete_user",
    "resetUserPassword": "staff.change_user",
    "adminDeleteAddress": "customers.delete_customeraddress",
    "deleteFulfillmentSet": "fulfillment.delete_fulfillmentset",
    "deleteInventoryLevel": "catalog.delete_inventorylevel",
    "deleteServiceZone": "fulfillment.delete_servicezone",
}
"""What staff need for fields that declare no permission, since their answer is no resource."""
FOR_SHOPPERS = {
    *("locales", "me", "login", "register", "requestPasswordReset", "updatePassword", "refresh"),
    *("createSession", "deleteSession", "calculateShippingOption", "completeCart", "deleteAddress"),
    "requestOrderLookup",
}
"""Fields that declare none and are not for staff."""
FOR_ALL_STAFF = {"adminMe"}
ALSO_NEEDED = {
    "updateCampaignPromotions": "carts.change_promotion",
    "convertDraftOrder": "carts.manage_draft",
    **dict.fromkeys(
        ("exchangeOrderItems", "previewOrderExchange", "claimOrderItems", "previewOrderClaim"), "orders.add_return"
    ),
}
"""What fields that change rows of another kind need beside their own permission."""
PERMISSIONS: Mapping[str, str] = {
    **{
        name: root.permission
        for fields in SCHEMA.roots.values()
        for name, root in fields.items()
        if getattr(root, "permission", None)
    },
    **STAFF_ACTIONS,
}
"""What each field for staff needs."""


def document(name: str) -> str:
    """The field with the least that it takes."""
    is_read = name in SCHEMA.roots[OperationType.QUERY]
    parent = SCHEMA.types.query_type if is_read else SCHEMA.types.mutation_type
    assert parent is not None
    given = [
        f"{key}: {literal(each.type)}" for key, each in parent.fields[name].args.items() if is_required_argument(each)
    ]
    taken = f"({', '.join(given)})" if given else ""
    return f"{'query' if is_read else 'mutation'} {{ {name}{taken} {{ __typename }} }}"


def literal(kind: GraphQLInputType) -> str:
    """Any value of the type."""
    match kind:
        case GraphQLNonNull():
            return literal(kind.of_type)
        case GraphQLList():
            return f"[{literal(kind.of_type)}]"
        case GraphQLEnumType():
            return next(iter(kind.values))
        case GraphQLInputObjectType():
            needed = {key: each for key, each in kind.fields.items() if is_required_input_field(each)}
            return f"{{{', '.join(f'{key}: {literal(each.type)}' for key, each in needed.items())}}}"
        case GraphQLScalarType():
            return {"Int": "1", "Float": "1", "Amount": "1", "Boolean": "true"}.get(kind.name, '"1"')
    raise AssertionError(kind)


def others_than(needed: str) -> list[str]:
    pairs = Permission.objects.values_list("content_type__app_label", "codename")
    return [name for name in (f"{app}.{codename}" for app, codename in pairs) if name != needed]


def test_every_field_without_a_permission_is_known() -> None:
    plain = {
        name for fields in SCHEMA.roots.values() for name, root in fields.items() if not hasattr(root, "permission")
    }
    assert plain == STAFF_ACTIONS.keys() | FOR_SHOPPERS | FOR_ALL_STAFF
    assert len(PERMISSIONS) > 60


def test_no_field_opens_to_a_shopper(signed_in: Caller) -> None:
    bare = Caller(Authorization=f"Basic {publishable_key().token}")
    for caller in (NOBODY, storefront(publishable_key()), signed_in, bare):
        for name in PERMISSIONS:
            answer = ask(caller, document(name))
            # Beside a credential that some field takes, it is the field's error.
            assert is_unauthorized(answer) or failures(answer) == [(name, "Unauthorized", {"type": "unauthorized"})]


@pytest.mark.parametrize("needed", sorted(set(PERMISSIONS.values())))
def test_a_permission_opens_its_fields_and_all_others_together_do_not(needed: str) -> None:
    others = others_than(needed)
    without = importer(secret_key(UserFactory(permissions=others)))
    boss = UserFactory(is_superuser=True)
    limited, alone = (importer(secret_key(boss, permissions=names)) for names in (others, [needed]))
    for name in (name for name, permission in PERMISSIONS.items() if permission == needed):
        for caller in (without, limited):
            assert refusal(ask(caller, document(name))) == f"The permission '{needed}' is required", name
        enough = importer(secret_key(boss, permissions=[needed, ALSO_NEEDED[name]])) if name in ALSO_NEEDED else alone
        assert "permission" not in (refusal(ask(enough, document(name))) or ""), name


def test_each_role_opens_what_it_permits() -> None:
    """All in one test: to set up the roles takes longer than their requests."""
    set_up_roles()
    for role, permitted in ROLES.items():
        user = UserFactory()
        user.groups.add(Group.objects.get(name=role))
        caller = importer(secret_key(user))
        for name, needed in PERMISSIONS.items():
            is_refused = refusal(ask(caller, document(name))) == f"The permission '{needed}' is required"
            assert is_refused == (needed not in permitted), (role, name)


def refusal(answer: Any) -> str | None:
    """The message of the field's failure."""
    if "errors" not in answer.json():
        return None
    ((_, message, _),) = failures(answer)
    return message
