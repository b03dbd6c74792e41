"""Payment collections of orders in GraphQL, for staff."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from kit.domain.actor import Actor
from kit.graphql.context import RequestContext
from kit.graphql.fields.mutations import Action, Change, Written, written_by
from kit.rest.responses.answers import DeletedSerializer
from kit.rest.storage_limits import a_row
from orders.api.resources import ADMIN_ORDERS
from orders.api.serializers.outstanding.payment_collections import (
    CreditLineInput,
    MarkAsPaidInput,
    OrderCollectionInput,
    SessionOfOrderInput,
)
from orders.api.serializers.outstanding.payment_links import MadePaymentLinkSerializer, PaymentLinkInput
from orders.api.viewsets.payment_collections import AUTHORIZING
from orders.managing import credit_lines, payment_collections
from orders.managing.payment_links import creation
from payments.api.resources import ADMIN_PAYMENT_COLLECTIONS
from payments.api.schema.store import ask_provider, shown
from payments.api.serializers import PaymentSessionInput

_CHANGING = "payments.change_paymentcollection"
_of_collection = partial(Change, ADMIN_PAYMENT_COLLECTIONS, viewing="payments.view_paymentcollection")


def _create(*, actor: Actor, **given: Any) -> Written:
    return Written(payment_collections.create(actor=actor, **given))


def _mark(*, actor: Actor, id: str, **given: Any) -> Written:
    payment_collections.mark_as_paid(actor=actor, collection_id=id, **given)
    return Written(id)


def _delete(context: RequestContext, *, id: str) -> Mapping[str, object]:
    payment_collections.delete(actor=context.actor(_CHANGING), collection_id=id)
    return {"id": id, "object": "payment-collection", "deleted": True}


def _link(context: RequestContext, *, id: str, **given: Any) -> Mapping[str, object]:
    return creation.made(creation.create(actor=context.actor(creation.CREATING), order_id=id, **given))


def _authorize(*, actor: Actor, id: str, payment_session_id: str, **_: object) -> Mapping[str, object]:
    payment_collections.authorize(actor=actor, order_id=id, session_id=payment_session_id)
    return {}


COLLECTION_MUTATIONS = {
    "create_order_payment_collection": _of_collection(
        "Ask for an amount of an order. An equal unpaid collection is returned, and another amount replaces it.",
        act=_create,
        permission=_CHANGING,
        input=OrderCollectionInput,
        by_id=False,
    ),
    "mark_payment_collection_as_paid": _of_collection(
        "Record that the amount has arrived, such as by bank transfer: it is captured at once.",
        act=_mark,
        permission="payments.add_capture",
        input=MarkAsPaidInput,
    ),
    "create_order_payment_session": _of_collection(
        "Create a payment session of an order with a provider. It replaces any other session of the collection.",
        act=shown,
        permission=AUTHORIZING,
        input=PaymentSessionInput,
        before_transaction=ask_provider,
        adds=a_row,
    ),
    "delete_payment_collection": Action(
        DeletedSerializer,
        "Delete an unpaid payment collection of an order. Its sessions are canceled.",
        act=_delete,
        by_id=True,
    ),
    "create_order_payment_link": Action(
        MadePaymentLinkSerializer,
        "Make a link that pays what an order still owes, and email it to the customer.",
        act=_link,
        input=PaymentLinkInput,
        by_id=True,
    ),
    "create_order_credit_line": Change(
        ADMIN_ORDERS,
        "Pay what an order still owes by the customer's store credit. A negative amount is refunded to it.",
        act=written_by(credit_lines.create, key="order_id"),
        permission=credit_lines.CREATING,
        viewing="orders.view_order",
        input=CreditLineInput,
    ),
    "authorize_order_payment_session": Change(
        ADMIN_ORDERS,
        "Have the provider authorize a payment session of the order.",
        act=shown,
        permission=AUTHORIZING,
        viewing="orders.view_order",
        input=SessionOfOrderInput,
        before_transaction=_authorize,
    ),
}
