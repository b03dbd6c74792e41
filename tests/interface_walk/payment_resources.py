"""What of the interface's resources is about payments, and the fields of each."""

from tests.interface_walk.tables import Fields, fields

_TAKEN = "authorized_amount captured_amount refunded_amount"

PAYMENTS: dict[str, Fields] = {
    "Payment collection": fields(
        text="id currency_code status",
        number=f"amount {_TAKEN}",
        object="metadata",
        moment="completed_at created_at updated_at",
        many={
            "payment_providers": "Payment collection.payment_providers",
            "payment_sessions": "Payment session",
            "payments": "Payment",
        },
    ),
    "Payment collection.payment_providers": fields(text="id"),
    "Payment session": fields(
        text="id provider_id currency_code status",
        number="amount",
        object="data context",
        moment="authorized_at",
        one={"payment_collection": "Payment collection", "payment": "Payment"},
    ),
    "Payment": fields(
        text="id currency_code provider_id",
        number=f"amount {_TAKEN}",
        object="data",
        moment="created_at updated_at captured_at canceled_at",
        one={"payment_collection": "Payment collection", "payment_session": "Payment session"},
        many={"captures": "Capture", "refunds": "Refund"},
    ),
    "Capture": fields(text="id created_by", number="amount", moment="created_at", one={"payment": "Payment"}),
    "Refund": fields(
        text="id refund_reason_id note created_by",
        number="amount",
        moment="created_at",
        one={"payment": "Payment", "refund_reason": "Refund reason"},
    ),
    "Refund reason": fields(text="id label description code", object="metadata", moment="created_at updated_at"),
}
