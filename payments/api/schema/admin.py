"""Payments and refund reasons in GraphQL, for staff."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from kit.domain.actor import Actor
from kit.graphql.context import RequestContext
from kit.graphql.fields.mutations import Action, Change, Written
from kit.graphql.fields.reads import ListField, SingleField
from kit.rest.responses.answers import DeletedSerializer
from kit.values.json import JSONObject
from payments.api.resources import ADMIN_PAYMENT_PROVIDERS, PAYMENTS, REFUND_REASONS
from payments.api.serializers import CaptureInput, RefundInput, RefundReasonChangesInput, RefundReasonInput
from payments.movements import capturing, refunding
from payments.reasons.refund_reasons import VERBS

_VIEWING_PAYMENTS = "payments.view_paymentcollection"
_VIEWING_REASONS = "payments.view_refundreason"
_of_payment = partial(Change, PAYMENTS, viewing=_VIEWING_PAYMENTS)
_of_reason = partial(Change, REFUND_REASONS, viewing=_VIEWING_REASONS)


def _capture(*, actor: Actor, id: str, **given: Any) -> Mapping[str, object]:
    capturing.capture(actor=actor, payment_id=id, **given)
    return {}


def _refund(*, actor: Actor, id: str, **given: Any) -> Mapping[str, object]:
    refunding.refund(actor=actor, payment_id=id, **given)
    return {}


def _moved(*, actor: Actor, id: str, **_: object) -> Written:
    return Written(id)


def _create(*, actor: Actor, **details: Any) -> Written:
    return Written(VERBS.create(actor=actor, **details).pk)


def _update(*, actor: Actor, **changes: Any) -> Written:
    return Written(VERBS.update(actor=actor, **changes).pk)


def _delete(context: RequestContext, *, id: str) -> JSONObject:
    VERBS.delete(actor=context.actor("payments.delete_refundreason"), ids=[id])
    return {"id": id, "object": REFUND_REASONS.name, "deleted": True}


QUERIES = {
    "payments": ListField(PAYMENTS, "Payments. For staff.", permission=_VIEWING_PAYMENTS),
    "payment": SingleField(PAYMENTS, "One payment. For staff.", permission=_VIEWING_PAYMENTS),
    "admin_payment_providers": ListField(
        ADMIN_PAYMENT_PROVIDERS,
        "All payment providers, enabled or not. For staff.",
        permission="shop.view_paymentprovider",
    ),
    "refund_reasons": ListField(REFUND_REASONS, "Reasons for refunds. For staff.", permission=_VIEWING_REASONS),
    "refund_reason": SingleField(REFUND_REASONS, "One reason for refunds. For staff.", permission=_VIEWING_REASONS),
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
    "create_refund_reason": _of_reason(
        "Create a refund reason.",
        act=_create,
        permission="payments.add_refundreason",
        input=RefundReasonInput,
        by_id=False,
    ),
    "update_refund_reason": _of_reason(
        "Change a refund reason. Metadata is merged.",
        act=_update,
        permission="payments.change_refundreason",
        input=RefundReasonChangesInput,
    ),
    "delete_refund_reason": Action(
        DeletedSerializer, "Delete a refund reason that no refund uses.", act=_delete, by_id=True
    ),
}
