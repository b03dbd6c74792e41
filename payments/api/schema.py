"""Payments in GraphQL."""

from collections.abc import Mapping
from typing import Any

from commerce.kit.core.actor import Actor
from commerce.kit.graphql.mutations import Change, Written
from commerce.kit.graphql.reads import ListField
from payments import opening, starting
from payments.api.resources import PAYMENT_COLLECTIONS, PAYMENT_PROVIDERS
from payments.api.serializers import PaymentCollectionInput, PaymentSessionInput


def _open(*, actor: Actor, **values: Any) -> Written:
    return Written(opening.open_collection(actor=actor, **values))


def _ask_provider(*, actor: Actor, id: str, **values: Any) -> Mapping[str, Any]:
    starting.start_session(actor=actor, collection_id=id, **values)
    return {}


def _started(*, actor: Actor, id: str, **values: Any) -> Written:
    return Written(id)


QUERIES = {
    "payment_providers": ListField(PAYMENT_PROVIDERS, "Who takes payments in a region."),
}
MUTATIONS = {
    "create_payment_collection": Change(
        PAYMENT_COLLECTIONS,
        "Create the payment collection of a cart; each cart has one, which is answered from then on.",
        act=_open,
        input=PaymentCollectionInput,
        by_id=False,
    ),
    "create_payment_session": Change(
        PAYMENT_COLLECTIONS,
        "Start a payment session at a provider, in the place of any other of the collection.",
        act=_started,
        input=PaymentSessionInput,
        before_transaction=_ask_provider,
    ),
}
