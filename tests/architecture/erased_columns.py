"""What an erasure does to each text column.

One-way digests, ids, statuses and the shop's codes identify nobody by themselves.
"""

from django.apps import apps

_PLACE = "company address_1 address_2 city province postal_code phone metadata"
_ADDRESS = f"{_PLACE} first_name last_name"
_TAX = "description tax_rate_id code provider_id"
_LINE = (
    "title subtitle thumbnail product_title product_description product_subtitle product_type product_type_id "
    "product_collection product_handle variant_sku variant_barcode variant_title variant_option_values detail_id"
)

_ACTION = "action line_id replaces method_id"
OF_PERSONS: dict[str, tuple[str, str]] = {
    "admin.logentry": ("object_repr change_message", "object_id"),
    "carts.cart": ("email metadata", "locale payment_collection_id tax_fallback created_by"),
    "carts.cartaddress": (f"{_ADDRESS} country_code", ""),
    "carts.creditline": ("metadata", "reference reference_id"),
    "carts.lineitem": ("metadata", _LINE),
    "carts.promotionusage": ("customer_key", "cart_id currency_code"),
    "carts.shippingmethod": ("data metadata description", "name shipping_option_id"),
    "commerce_auth.authidentity": ("email password customer_id stamp", ""),
    "commerce_auth.passwordreset": ("email actor_type", ""),
    "customers.customer": (
        "email company_name first_name last_name phone tax_number tax_exempt_countries note metadata document",
        "",
    ),
    "customers.customeraddress": (f"{_ADDRESS} country_code address_name", ""),
    # A card is found by its reference, which programs write; its code opens it to anybody who has it.
    "giftcards.giftcard": ("note metadata", "code status line_item_id held_by reference reference_id"),
    "giftcards.storecreditaccount": ("metadata", ""),
    "giftcards.transaction": ("note", "type reference reference_id created_by"),
    "giftcards.transactiongroup": ("metadata", "code"),
    "idempotency.record": ("body mentions", "actor key_digest fingerprint"),
    "jobs.job": ("parameters", "kind title status message"),
    "jobs.refusal": ("label reason", ""),
    "jobs.rowresult": ("text", "about label status"),
    # Deleted with the person, if their table holds personal data.
    "spreadsheets.import": (
        "name headers problems",
        "spreadsheet format reading digest mapping options state counts done",
    ),
    "spreadsheets.importresult": ("label text", "about action"),
    "mails.mail": ("recipient recipient_digest error", "kind about request_id claimed_by"),
    "orders.carrierrequest": ("error", "act result claimed_by"),
    "orders.completionattempt": ("error", "cart_id session_id status idempotency_digest"),
    "orders.fulfillment": (
        "cancel_reason data metadata",
        "shipping_option_id created_by marked_shipped_by delivered_by canceled_by",
    ),
    "orders.fulfillmentlabel": ("tracking_number tracking_url label_url", ""),
    "orders.grantedrefund": ("note", "return_id created_by idempotency_digest"),
    "orders.invoice": (
        "buyer",
        "kind shown_number reason country_code locale seller paid_by created_by",
    ),
    "orders.order": (
        "email tax_number metadata",
        "cart_id custom_display_id status payment_status fulfillment_status locale tax_fallback invoicing",
    ),
    "orders.orderaddress": (_ADDRESS, "country_code customer_id"),
    "orders.orderchange": (
        "description internal_note metadata",
        "kind status claim_type created_by requested_by confirmed_by canceled_by",
    ),
    "orders.orderchangeaction": (
        "description internal_note metadata",
        f"{_ACTION} variant_id shipping_option_id code title claim_reason taxes tax_fallback described",
    ),
    "orders.ordercreditline": ("metadata", "reference reference_id"),
    "orders.orderlineitem": ("metadata", f"{_LINE} variant_id product_id"),
    "orders.ordernote": ("text", "created_by"),
    "orders.ordersearch": ("terms marked", ""),
    "orders.ordershippingmethod": ("data metadata description", "name shipping_option_id"),
    "orders.ordertransfer": ("token_digest description", "status"),
    "orders.return": ("note internal_note metadata", "status created_by received_by canceled_by"),
    "orders.returnitem": ("note metadata", ""),
    "payments.intent": ("data note error", "act created_by idempotency_digest result"),
    "payments.paymentcollection": ("metadata", "order_id status"),
    "payments.paymentsession": ("data context", "status"),
    "payments.refund": ("note", "created_by"),
}
"""By model: columns that are erased, and columns that hold nothing personal."""

OF_NOBODY: dict[str, str] = {
    "taxes.taxquote": "digest provider_id rates",
    "taxes.taxrate": "name code metadata",
    "taxes.taxraterule": "reference reference_id",
    "taxes.taxregion": "province provider_id metadata",
    "pictures.picture": "digest status reason",
    "apikeys.apikey": "type title token digest redacted permissions",
    "auth.group": "name",
    "auth.permission": "name codename",
    "catalog.listedcategory": "sales_channel_id group_id id",
    "catalog.listedproduct": "sales_channel_id id title collection_id",
    "catalog.listedtag": "sales_channel_id group_id id",
    "catalog.lowestprice": "product_id currency_code price_list_id",
    "catalog.productcount": "sales_channel_id",
    "orders.ordercount": "status payment_status fulfillment_status region_id sales_channel_id currency_id customer_id",
    "carts.adjustment": "code description provider_id order_id",
    "carts.campaign": "name description campaign_identifier budget_type metadata",
    "carts.cartpromotion": "entered reason",
    "carts.promotion": "code status kind type target target_type allocation description saved metadata",
    "carts.promotioncode": "code code_key",
    "carts.promotiongate": "key",
    "carts.promotionrule": "kind attribute operator values description",
    "carts.shippingmethodadjustment": "code description",
    "carts.shippingmethodtaxline": _TAX,
    "carts.taxline": _TAX,
    "catalog.inventoryitem": "sku title description thumbnail origin_country hs_code mid_code material unit_of_measure "
    "metadata",
    "catalog.pricelist": "title description type status reductions",
    "catalog.pricelistrule": "attribute value",
    "catalog.pricerule": "attribute operator value",
    "catalog.product": "origin_country hs_code mid_code material title handle subtitle description status thumbnail "
    "external_id seo_title seo_description metadata document",
    "catalog.productcategory": "name handle description seo_title seo_description metadata path document",
    "catalog.productcollection": "title handle seo_title seo_description metadata document",
    "catalog.productimage": "url metadata",
    "catalog.productoption": "title metadata document",
    "catalog.productoptionvalue": "value metadata",
    "catalog.productsearch": "terms marked channels",
    "catalog.producttag": "value metadata document",
    "catalog.producttype": "value metadata document",
    "catalog.productvariant": "origin_country hs_code mid_code material title sku barcode ean upc metadata document",
    "catalog.reservation": "line_item_id description metadata",
    "catalog.stockmovement": "reason reference_id note created_by api_key_id",
    "catalog.staleprice": "kind key",
    "catalog.stalestock": "kind key",
    "contenttypes.contenttype": "app_label model",
    "customers.customergroup": "name metadata tax_exempt_countries",
    # Ids are the arguments of tasks. Traces of errors are deleted after settings.TASK_RESULT_LIFETIME.
    "django_tasks_database.dbtaskresult": "status args_kwargs task_path worker_ids queue_name backend_name "
    "return_value exception_class_path traceback",
    "fulfillment.fulfillmentset": "name type metadata",
    "fulfillment.geozone": "type province_code city postal_expression",
    "fulfillment.servicezone": "name metadata",
    "fulfillment.shippingoption": "name price_type data metadata",
    "fulfillment.shippingoptionrule": "attribute operator value",
    "fulfillment.shippingoptiontype": "label description code",
    "giftcards.credithold": "attempt_id",
    "jobs.selection": "keys",
    "spreadsheets.rememberedmapping": "spreadsheet digest mapping",
    "orders.carrierevent": "event_id",
    "orders.fulfillmentitem": "inventory_item_id title sku barcode",
    "orders.invoicefile": "path digest",
    "orders.invoiceline": "kind reference_id title variant_title sku category combination taxes",
    "orders.invoicenumber": "kind",
    "orders.invoicetax": "category combination code description",
    "orders.orderadjustment": "code description promotion_id provider_id",
    # What a guest has typed, and digests; prune deletes the rows after a day.
    "orders.orderlookup": "number email_digest sales_channel_ids token_digest",
    "orders.paymentlink": "token_digest created_by",
    "orders.orderpromotion": "promotion_id code type target currency_code kind allocation rules",
    "orders.ordershippingmethodadjustment": "code description promotion_id",
    "orders.ordershippingmethodtaxline": _TAX,
    "orders.ordertaxline": _TAX,
    "orders.ordertransaction": "reference reference_id",
    "orders.returnreason": "label description metadata value",
    "otp_totp.totpdevice": "name key",
    "outbox.event": "event_id name about order_of data",
    "payments.capture": "created_by",
    "payments.providerevent": "event_id action",
    "payments.refundreason": "label description metadata code",
    # An identity's id and stamp, which are worth nothing once the identity is gone.
    "sessions.session": "session_data",
    "shop.country": "iso_3 num_code name display_name",
    "shop.currency": "name",
    "shop.region": "name metadata",
    "shop.saleschannel": "name description metadata",
    "shop.shippingprofile": "name type metadata",
    "shop.stocklocation": "name metadata",
    "shop.stocklocationaddress": f"{_PLACE} country_code",
    "shop.store": (
        "name metadata legal_name address_1 address_2 postal_code city province country_code tax_number "
        "registration_number bank_account email invoice_footer"
    ),
    "staff.invitation": "email token_digest metadata",
    "staff.user": "password email first_name last_name avatar_url metadata stamp",
    "webhooks.delivery": "order_of status error claimed_by",
    "webhooks.webhookaddress": "url events sealed_secret sealed_former_secret disabled_reason",
}
"""By model: columns of the shop, its goods and its staff, or of ids."""

_NO_PLAIN_TEXT = {
    # Hashes, encrypted answers, and what the shop itself writes.
    *("idempotency.record body", "idempotency.record mentions", "mails.mail recipient_digest"),
    *(
        "commerce_auth.authidentity password",
        "commerce_auth.authidentity stamp",
        "commerce_auth.authidentity customer_id",
    ),
    *("commerce_auth.passwordreset actor_type", "orders.ordertransfer token_digest", "payments.paymentsession context"),
    *(
        "carts.cartaddress country_code",
        "customers.customer tax_exempt_countries",
        "customers.customeraddress country_code",
    ),
    # No verb writes it; it is erased for the programs of a shop that do.
    "carts.shippingmethod metadata",
    # Reasons of mail servers, in which the sender masks the address.
    "mails.mail error",
}


def decided() -> dict[str, set[str]]:
    """The columns of each model that are listed above."""
    listed = {model: {*erased.split(), *kept.split()} for model, (erased, kept) in OF_PERSONS.items()}
    return listed | {model: set(columns.split()) for model, columns in OF_NOBODY.items()}


def shown_in_time() -> set[str]:
    """`table.column` of each erased one that holds plain text of a person at some time."""
    return {
        f"{apps.get_model(model)._meta.db_table}.{apps.get_model(model)._meta.get_field(name).column}"
        for model, (erased, _) in OF_PERSONS.items()
        for name in erased.split()
        if f"{model} {name}" not in _NO_PLAIN_TEXT
    }
