"""Where responses of /admin differ from those that a running Medusa has recorded, and why."""

from tests.orders.api.recordings import ABSENT

Table = dict[str, tuple[str, str, str]]
"""By path: what theirs has there, what ours has, and why. Types of JSON; the texts of refusals."""

BY_THE_STORE = "the order of the store has it"
INTERFACE, NOT_IN_INTERFACE = "the public interface lists it", "the public interface does not list it"
SEE_PAYMENTS = "GET /admin/payments has it (docs/decisions/orders.md)"
NO_CREDIT = "credit lines hold gift cards and store credit only: a refund is an allowance"
VERBS = "Medusa's verbs respond without it; ours with the whole order"
ESTIMATE: Table = {"estimate_count": (ABSENT, "number", "the public interface: lists carry it")}


def below(path: str, table: Table) -> Table:
    return {f"{path}.{name}": row for name, row in table.items()}


TYPES = "the types of Medusa's SDK promise it"
_DISCOUNTS = ("item_discount_total", "shipping_discount_total", "gift_card_total", "gift_card_tax_total")
TYPED: Table = {
    **dict.fromkeys(("email", "sales_channel_id"), (ABSENT, "string", TYPES)),
    "customer_id": (ABSENT, "null", TYPES),
    **dict.fromkeys(_DISCOUNTS, (ABSENT, "number", TYPES)),
}
_SUMS = ("total", "subtotal", "tax_total")
LIST_TYPED: Table = {
    "region_id": (ABSENT, "string", TYPES),
    **dict.fromkeys(("shipping_methods", "payment_collections"), (ABSENT, "list", TYPES)),
    **{
        f"{prefix}{name}": (ABSENT, "number", TYPES)
        for prefix in ("", "original_", "item_", "original_item_", "shipping_", "original_shipping_")
        for name in _SUMS
        if prefix + name != "total"
    },
    **dict.fromkeys(("discount_total", "discount_tax_total", "credit_line_total"), (ABSENT, "number", TYPES)),
}
LISTED: Table = {
    **TYPED,
    "currency_code": (ABSENT, "string", "an amount needs its currency"),
    "summary.allowance_total": (ABSENT, "number", "refunds beyond what is owed are no credit lines"),
    "items.order_id": (ABSENT, "string", BY_THE_STORE),
    "items.item_total": (ABSENT, "number", BY_THE_STORE),
    "items.item_subtotal": (ABSENT, "number", BY_THE_STORE),
    "items.item_tax_total": (ABSENT, "number", BY_THE_STORE),
    "items.gift_cards": (ABSENT, "list", "lines show the gift cards that were bought"),
}
ORDER: Table = {
    **LISTED,
    "items.variant": ("object", ABSENT, "today's catalogue: by request (docs/decisions/orders.md)"),
    **below(
        "payment_collections.payments",
        {
            "authorized_amount": (ABSENT, "number", INTERFACE),
            "captured_amount": (ABSENT, "number", INTERFACE),
            "refunded_amount": (ABSENT, "number", INTERFACE),
            "payment_collection_id": ("string", ABSENT, SEE_PAYMENTS),
            "payment_session_id": ("string", ABSENT, SEE_PAYMENTS),
            "payment_session": ("object", ABSENT, SEE_PAYMENTS),
            "metadata": ("null", ABSENT, "payments have none"),
            "deleted_at": ("null", ABSENT, "payments are never deleted"),
        },
    ),
}
MOVEMENT: Table = {
    "payment_id": ("string", ABSENT, NOT_IN_INTERFACE + ": it is below its payment"),
    "metadata": ("null", ABSENT, NOT_IN_INTERFACE),
    "updated_at": ("string", ABSENT, NOT_IN_INTERFACE + ": it never changes"),
    "deleted_at": ("null", ABSENT, NOT_IN_INTERFACE + ": it is never deleted"),
}
ANSWERED: Table = {
    **ORDER,
    "payment_status": (ABSENT, "string", VERBS),
    "fulfillment_status": (ABSENT, "string", VERBS),
    "fulfillments": (ABSENT, "list", VERBS),
}
CREDIT_LINE = {"id", "order_id", "version", "reference", "reference_id", "created_at", "updated_at"}
CREDITED: Table = {
    **{f"credit_lines.{name}": ("string", ABSENT, NO_CREDIT) for name in CREDIT_LINE},
    "credit_lines.version": ("number", ABSENT, NO_CREDIT),
    "credit_lines.amount": ("number", ABSENT, NO_CREDIT),
    "credit_lines.subtotal": ("number", ABSENT, NO_CREDIT),
    "credit_lines.total": ("number", ABSENT, NO_CREDIT),
    "credit_lines.metadata": ("object", ABSENT, NO_CREDIT),
    "credit_lines.deleted_at": ("null", ABSENT, NO_CREDIT),
}
MOVED: Table = {
    **ANSWERED,
    **CREDITED,
    **below("payment_collections.payments.captures", MOVEMENT),
    **below("payment_collections.payments.refunds", MOVEMENT),
}
PAYMENT: Table = {
    "provider_id": (ABSENT, "string", INTERFACE),
    "authorized_amount": (ABSENT, "number", INTERFACE),
    "captured_amount": (ABSENT, "number", INTERFACE),
    "refunded_amount": (ABSENT, "number", INTERFACE),
    "data": (ABSENT, "object", INTERFACE),
    "canceled_at": (ABSENT, "null", INTERFACE),
    "created_at": (ABSENT, "string", INTERFACE),
    "updated_at": (ABSENT, "string", INTERFACE),
    "captures.created_by": (ABSENT, "string", INTERFACE),
    "captures.created_at": (ABSENT, "string", INTERFACE),
}
CHOSEN = "of a line that was not selected, there is how far it is"
LINE: Table = {
    **dict.fromkeys(
        (
            *("title", "subtitle", "thumbnail", "variant_id", "variant_sku", "variant_title", "product_id"),
            *("product_title", "product_description", "product_type", "product_type_id", "product_collection"),
            *("product_handle", "created_at", "updated_at"),
        ),
        ("string", ABSENT, CHOSEN),
    ),
    **dict.fromkeys(
        (
            *("product_subtitle", "variant_barcode", "variant_option_values", "compare_at_unit_price"),
            "deleted_at",
        ),
        ("null", ABSENT, CHOSEN),
    ),
    **dict.fromkeys(
        ("requires_shipping", "is_giftcard", "is_discountable", "is_tax_inclusive", "is_custom_price"),
        ("boolean", ABSENT, CHOSEN),
    ),
    **dict.fromkeys(("unit_price", "quantity"), ("number", ABSENT, CHOSEN)),
    **dict.fromkeys(("metadata", "line_item_metadata"), ("object", ABSENT, CHOSEN)),
}
DIFFERENCES: dict[str, Table] = {
    "admin_order": below("order", ORDER),
    "admin_orders": {**below("orders", {**LISTED, **LIST_TYPED}), **ESTIMATE},
    "admin_orders_q": {**ESTIMATE, **below("orders.items", LINE)},
    "admin_capture_part": below("payment", PAYMENT),
    "admin_capture_too_much": {
        "message": (
            "You cannot capture more than the authorized amount substracted by what is already captured.",
            "At most 132.31 usd of the payment can be captured",
            "it says how much; each line is rounded, and their sum is 132.31",
        )
    },
    "admin_refund_part": below(
        "payment",
        {
            **PAYMENT,
            "refunds.created_by": (ABSENT, "string", INTERFACE),
            "refunds.created_at": (ABSENT, "string", INTERFACE),
        },
    ),
    "admin_refund_too_much": {
        "message": (
            "You are not allowed to refund more than the captured amount",
            "At most 10.00 usd of the payment can be refunded",
            "it says how much",
        )
    },
    "admin_fulfill_part": below("order", MOVED),
    "admin_fulfill_too_much": {},
    "admin_shipment": below("order", MOVED),
    "admin_delivered": below("order", MOVED),
    "admin_fulfillment_cancel": below("order", ANSWERED),
    "admin_order_cancel_with_fulfillment": {
        "message": (
            "All fulfillments must be canceled before canceling an order",
            "Cannot cancel an order with shipped or delivered items. Please use the return process instead",
            "packed fulfillments are canceled with the order, so only shipped ones refuse",
        )
    },
    "admin_returns": {
        **ESTIMATE,
        "returns.note": (ABSENT, "null", "the request for a return may have a note"),
        "returns.internal_note": (ABSENT, "null", "staff set it when they begin a return"),
        "returns.exchange_id": (ABSENT, "null", "of the exchange that it belongs to"),
        "returns.claim_id": (ABSENT, "null", "of the claim that it belongs to"),
        "returns.deleted_at": (ABSENT, "null", "a return of the store has it"),
        "returns.items": (ABSENT, "list", TYPES),
    },
    "admin_order_complete": below("order", MOVED),
    "admin_order_archive": below("order", MOVED),
    "admin_order_cancel": below("order", {**ANSWERED, **CREDITED}),
    "admin_order_cancel_again": {},
}
