"""Payments and refund reasons in GraphQL, for staff."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from kit.domain.actor import Actor
from kit.graphql.fields.mutations import Change, Written
from kit.graphql.fields.reads import ListField, SingleField
from kit.graphql.fields.rows import row_mutations, row_queries
from payments.api.resources import ADMIN_PAYMENT_PROVIDERS, PAYMENTS
from payments.api.serializers import CaptureInput, RefundInput
from payments.api.viewsets.admin import RefundReasons
from payments.movements import capturing, refunding

_VIEWING_PAYMENTS = "payments.view_paymentcollection"
_of_payment = partial(Change, PAYMENTS, viewing=_VIEWING_PAYMENTS)


def _capture(*, actor: Actor, id: str, **given: Any) -> Mapping[str, object]:
    capturing.capture(actor=actor, payment_id=id, **given)
    return {}


def _refund(*, actor: Actor, id: str, **given: Any) -> Mapping[str, object]:
    refunding.refund(actor=actor, payment_id=id, **given)
    return {}


def _moved(*, actor: Actor, id: str, **_: object) -> Written:
    return Written(id)


QUERIES = {
    "payments": ListField(PAYMENTS, "Payments. For staff.", permission=_VIEWING_PAYMENTS),
    "payment": SingleField(PAYMENTS, "One payment. For staff.", permission=_VIEWING_PAYMENTS),
    "admin_payment_providers": ListField(
        ADMIN_PAYMENT_PROVIDERS,
        "All payment providers, enabled or not. For staff.",
        permission="shop.view_paymentprovider",
    ),
    **row_queries(RefundReasons),
}
MUTATIONS = {
    "capture_payment": _of_payment(
        "Capture authorized money, by default all that is left.",
        act=_moved,
        permission="payments.add_capture",
        input=CaptureInput,
        before_transaction=_capture,
    ),
    "refund_payment": _of_payment(
        "Refund captured money, by default all that is left.",
        act=_moved,
        permission="payments.add_refund",
        input=RefundInput,
        before_transaction=_refund,
    ),
    **row_mutations(RefundReasons),
}
