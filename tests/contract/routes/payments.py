"""Payments, their collections and sessions."""

from payments.models import RefundReason
from tests.contract.routes.examples import Example, maintained
from tests.factories import payments


def _providers_path() -> str:
    """Those of a region that offers one."""
    return f"/store/payment-providers?region_id={payments.payable_cart().region_id}"


def _sessions_path() -> str:
    return f"/store/payment-collections/{payments.collection().pk}/payment-sessions"


def refund_reason() -> RefundReason:
    return payments.refund_reason(f"reason_{RefundReason.objects.count()}")


EXAMPLES = {
    "/store/payment-providers": Example(_providers_path),
    "/store/payment-collections": Example(
        lambda: "/store/payment-collections", {"open": lambda: {"cart_id": payments.payable_cart().pk}}
    ),
    "/store/payment-collections/<str:id>/payment-sessions": Example(
        _sessions_path, {"start": {"provider_id": payments.PROVIDER, "data": {"a": 1}}}
    ),
    "/hooks/payments/<str:provider_id>": Example(lambda: "/hooks/payments/pp_system_default"),
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
