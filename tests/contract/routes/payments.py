"""Payments, their collections and sessions."""

from datetime import timedelta

from kit.messages.mails.tokens import token_digest
from kit.values.timestamps import now
from orders.mails.payment_links import token_of
from orders.models import Order, PaymentLink
from payments.models import PaymentCollection, RefundReason
from shop.models import PaymentProvider
from tests.contract.routes.examples import Example, maintained
from tests.factories import payments
from tests.factories.orders import asked_for, owing_order, with_credit
from tests.payments.providers import FAKE


def _providers_path() -> str:
    """Those of a region that offers one."""
    return f"/store/payment-providers?region_id={payments.payable_cart().region_id}"


def _sessions_path() -> str:
    return f"/store/payment-collections/{payments.collection().pk}/payment-sessions"


def _payable_by_link() -> Order:
    """An order of a region that offers a provider which asks the customer."""
    order = owing_order()
    provider, _ = PaymentProvider.objects.get_or_create(id=FAKE)
    order.region.payment_providers.add(provider)
    return order


def _link_path() -> str:
    link = PaymentLink(order=_payable_by_link(), is_mailed=False, expires_at=now() + timedelta(days=1))
    link.token_digest = token_digest(token_of(link.pk))
    link.save()
    return f"/store/payment-links/{token_of(link.pk)}"


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
    "/store/payment-links/<str:token>": Example(_link_path, {"pay": {"provider_id": FAKE, "amount": 18}}),
    "/admin/orders/<str:id>/credit-lines": Example(
        lambda: f"/admin/orders/{with_credit(owing_order()).pk}/credit-lines",
        {"create": {"amount": 18, "reference": "order_change", "reference_id": "ordch_1"}},
    ),
    "/admin/orders/<str:id>/payment-links": Example(
        lambda: f"/admin/orders/{_payable_by_link().pk}/payment-links", {"create": {"no_notification": True}}
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
