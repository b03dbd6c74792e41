"""Payments in GraphQL."""

from collections.abc import Mapping

from kit.domain.actor import Actor
from kit.graphql.fields.mutations import Change, Written
from kit.graphql.fields.reads import ListField
from kit.rest.storage_limits import a_row
from kit.values.json import JSONObject
from payments.api.resources import PAYMENT_COLLECTIONS, PAYMENT_PROVIDERS
from payments.api.serializers import PaymentCollectionInput, PaymentSessionInput
from payments.lifecycle import cart_collection
from payments.sessions import starting


def _open(*, actor: Actor, cart_id: str) -> Written:
    return Written(cart_collection.open_collection(actor=actor, cart_id=cart_id))


def ask_provider(
    *, actor: Actor, id: str, provider_id: str, data: JSONObject | None = None, idempotency_digest: str | None
) -> Mapping[str, object]:
    """Create the session. Providers are called outside transactions; `shown` then reads the collection in one."""
    starting.start_session(
        actor=actor, collection_id=id, provider_id=provider_id, data=data, idempotency_digest=idempotency_digest
    )
    return {}


def shown(*, actor: Actor, id: str, **_: object) -> Written:
    """The collection whose session `ask_provider` has created."""
    return Written(id)


QUERIES = {
    "payment_providers": ListField(PAYMENT_PROVIDERS, "The payment providers of a region."),
}
MUTATIONS = {
    "create_payment_collection": Change(
        PAYMENT_COLLECTIONS,
        "Create the payment collection of a cart, or return the existing one.",
        act=_open,
        input=PaymentCollectionInput,
        by_id=False,
    ),
    "create_payment_session": Change(
        PAYMENT_COLLECTIONS,
        "Create a payment session with a provider. It replaces any other session of the collection.",
        act=shown,
        input=PaymentSessionInput,
        before_transaction=ask_provider,
        adds=a_row,
    ),
}
