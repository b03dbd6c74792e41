"""Payments, their collections and sessions."""

from payments.models import PaymentCollection, RefundReason
from tests.contract.routes.examples import Example, maintained
from tests.factories import payments
from tests.factories.orders import asked_for, owing_order


def _providers_path() -> str:
    """Those of a region that offers one."""
    return f"/store/payment-providers?region_id={payments.payable_cart().region_id}"


def _sessions_path() -> str:
    return f"/store/payment-collections/{payments.collection().pk}/payment-sessions"


def refund_reason() -> RefundReason:
    return payments.refund_reason(f"reason_{RefundReason.objects.count()}")


def _session_of_order() -> dict[str, str]:
    """Of the latest collection."""
    collection = PaymentCollection.objects.latest("created_at", "pk")
    return {"payment_session_id": payments.session(collection).pk}


EXAMPLES = {
    "/store/payment-providers": Example(_providers_path),
    "/store/payment-collections": Example(
        lambda: "/store/payment-collections", {"open": lambda: {"cart_id": payments.payable_cart().pk}}
    ),
    "/store/payment-collections/<str:id>/payment-sessions": Example(
        _sessions_path, {"start": {"provider_id": payments.PROVIDER, "data": {"a": 1}}}
    ),
    "/hooks/payments/<str:provider_id>": Example(lambda: "/hooks/payments/pp_system_default"),
    "/admin/orders/<str:id>/payment-sessions/authorize": Example(
        lambda: f"/admin/orders/{asked_for().order_id}/payment-sessions/authorize", {"authorize": _session_of_order}
    ),
    "/admin/payment-collections": Example(
        lambda: "/admin/payment-collections", {"create": lambda: {"order_id": owing_order().pk, "amount": 18}}
    ),
    "/admin/payment-collections/<str:id>": Example(lambda: f"/admin/payment-collections/{asked_for().pk}"),
    "/admin/payment-collections/<str:id>/mark-as-paid": Example(
        lambda: f"/admin/payment-collections/{asked_for().pk}/mark-as-paid",
        {"mark_as_paid": lambda: {"order_id": PaymentCollection.objects.latest("created_at", "pk").order_id}},
    ),
    "/admin/payment-collections/<str:id>/payment-sessions": Example(
        lambda: f"/admin/payment-collections/{asked_for().pk}/payment-sessions",
        {"start": {"provider_id": payments.PROVIDER, "data": {"a": 1}}},
    ),
    **maintained(
        "/admin/refund-reasons", refund_reason, {"code": "late", "label": "Arrived late"}, {"label": "Arrived late"}
    ),
    "/admin/payments": Example(lambda: "/admin/payments"),
    "/admin/payments/payment-providers": Example(lambda: "/admin/payments/payment-providers"),
    "/admin/payments/<str:id>": Example(lambda: f"/admin/payments/{payments.authorized_payment().pk}"),
    "/admin/payments/<str:id>/capture": Example(
        lambda: f"/admin/payments/{payments.authorized_payment().pk}/capture", {"capture": {"amount": 20}}
    ),
    "/admin/payments/<str:id>/refund": Example(
        lambda: f"/admin/payments/{payments.captured_payment().pk}/refund", {"refund": {"amount": 20}}
    ),
}
