"""The roles of staff, as groups for `manage.py setup_roles`: each with only the permissions that its work needs.

Some permissions are left to superusers: staff and their groups, erasing a customer, and rows that only the shop's own
verbs write.
"""

from collections.abc import Mapping

_WRITING = ("view", "add", "change", "delete")
_KEEPING = ("view", "add", "change")


def _each(acts: tuple[str, ...], app: str, *models: str) -> frozenset[str]:
    return frozenset(f"{app}.{act}_{model}" for model in models for act in acts)


def _viewing(app: str, *models: str) -> frozenset[str]:
    return _each(("view",), app, *models)


_LEDGER = _viewing("giftcards", "giftcard", "storecreditaccount", "transactiongroup", "transaction")
_CARTS = _viewing("carts", "cart")
_MAILS = _each(("view", "add"), "mails", "mail")  # adding one is sending it again
_NOTES = _each(("view", "add"), "orders", "ordernote")
_ORDERS = _viewing("orders", "order", "completionattempt")
_EDITS = frozenset(["orders.add_orderchange", "orders.set_price"])
_INVOICES = _each(("view", "add", "correct"), "orders", "invoice")
_DRAFTS = frozenset(["carts.manage_draft", "orders.add_order"])
_PLACES = _viewing("shop", "currency", "region", "saleschannel", "stocklocation", "shippingprofile")
_PRICES = _each(_WRITING, "catalog", "priceset", "price", "pricerule")

ROLES: Mapping[str, frozenset[str]] = {
    "Catalogue": frozenset.union(
        _each(
            _WRITING,
            "catalog",
            *("product", "productvariant", "productoption", "productoptionvalue", "productimage"),
            *("productcategory", "productcollection", "producttype", "producttag"),
            *("pricelist", "pricelistrule", "inventoryitem", "variantinventoryitem", "inventorylevel"),
        ),
        _viewing("catalog", "reservation", "stockmovement"),
        _PRICES,
        _each(("view", "add", "delete"), "pictures", "picture"),
        _each(_WRITING, "carts", "promotion", "promotionrule", "promotioncode", "campaign"),
        _PLACES,
    ),
    "Customer care": frozenset.union(
        _viewing("customers", "customer", "customeraddress", "customergroup"),
        _viewing("catalog", "product", "productvariant"),
        _viewing("payments", "paymentcollection"),
        _viewing("orders", "returnreason", "returnitem"),
        _each(_KEEPING, "orders", "return"),
        _viewing("shop", "currency"),
        _CARTS,
        _ORDERS,
        _LEDGER,
        _MAILS,
        _NOTES,
        _EDITS,
        _INVOICES,
        _DRAFTS,
        frozenset(["giftcards.add_transaction", "orders.change_order", "orders.cancel_order"]),
    ),
    # Changing an email address gives control of the account, so this is not part of customer care.
    "Customer accounts": frozenset.union(
        _each(_KEEPING, "customers", "customer"),
        _each(_WRITING, "customers", "customeraddress"),
        _viewing("customers", "customergroup"),
    ),
    "Payments": frozenset.union(
        _CARTS,
        _NOTES,
        _ORDERS,
        _INVOICES,
        _viewing("payments", "paymentcollection", "refundreason"),
        _viewing("shop", "paymentprovider"),
        _each(("add",), "payments", "capture", "refund"),
        _each(("change",), "payments", "paymentsession", "paymentcollection"),
    ),
    "Gift cards": frozenset.union(
        _LEDGER,
        frozenset(["giftcards.add_giftcard", "giftcards.change_giftcard"]),
        frozenset(["giftcards.add_storecreditaccount", "giftcards.add_transaction"]),
        _viewing("customers", "customer"),
        _viewing("shop", "currency"),
    ),
    "Warehouse": frozenset.union(
        _NOTES,
        _ORDERS,
        _viewing("orders", "invoice"),
        _each(_KEEPING, "orders", "fulfillment", "return"),
        _viewing("orders", "fulfillmentitem", "fulfillmentlabel", "returnitem", "returnreason"),
        _viewing("catalog", "product", "productvariant", "inventoryitem", "reservation", "stockmovement"),
        _each(("view", "change"), "catalog", "inventorylevel"),
        _viewing("shop", "stocklocation", "fulfillmentprovider", "currency"),
    ),
    # The files contain the names and addresses of all customers, so no other role includes this.
    "Order exports": _viewing("orders", "order") | {"orders.export_order"},
    "Shipping": frozenset.union(
        _each(
            _WRITING,
            "fulfillment",
            *("fulfillmentset", "servicezone", "geozone", "shippingoption", "shippingoptiontype", "shippingoptionrule"),
        ),
        _PRICES,
        _PLACES,
        _viewing("shop", "country", "fulfillmentprovider"),
    ),
    "Shop settings": frozenset.union(
        _each(_WRITING, "shop", "shippingprofile", "stocklocation", "stocklocationaddress"),
        _each(_WRITING, "taxes", "taxregion", "taxrate", "taxraterule"),
        _viewing("catalog", "product", "producttype"),  # what tax rates are for
        _viewing("fulfillment", "shippingoption"),
        _each(_KEEPING, "shop", "region", "saleschannel"),
        _each(("view", "change"), "shop", "store", "currency", "paymentprovider", "fulfillmentprovider"),
        _viewing("shop", "country"),
        _each(_WRITING, "customers", "customergroup"),
        _each(_WRITING, "payments", "refundreason"),
        _each(_WRITING, "orders", "returnreason"),
    ),
    "API keys": _each(_WRITING, "apikeys", "apikey") | _viewing("shop", "saleschannel"),
    "Webhooks": _each(_WRITING, "webhooks", "webhookaddress")
    | _viewing("webhooks", "delivery")
    | _viewing("outbox", "event"),
    "Second factor": _each(("view", "add"), "otp_totp", "totpdevice"),
}
"""Permissions by the name of the group."""
