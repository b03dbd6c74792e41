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


LISTED: Table = {
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
CHOSEN = "the public interface: names without a sign replace the defaults"
DIFFERENCES: dict[str, Table] = {
    "admin_order": below("order", ORDER),
    "admin_orders": {**below("orders", LISTED), **ESTIMATE},
    "admin_orders_q": {
        **ESTIMATE,
        "orders.status": ("string", ABSENT, CHOSEN),
        "orders.version": ("number", ABSENT, CHOSEN),
        "orders.items": ("list", ABSENT, CHOSEN),
        "orders.payment_status": ("string", ABSENT, CHOSEN),
        "orders.fulfillment_status": ("string", ABSENT, CHOSEN),
    },
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
        "returns.deleted_at": (ABSENT, "null", "a return of the store has it"),
    },
    "admin_order_complete": below("order", MOVED),
    "admin_order_archive": below("order", MOVED),
    "admin_order_cancel": below("order", {**ANSWERED, **CREDITED}),
    "admin_order_cancel_again": {},
}
