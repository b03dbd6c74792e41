"""GraphQL fields of rows that staff maintain, made from the same declaration as their routes."""

from dataclasses import asdict
from functools import partial
from typing import Any

from kit.domain.actor import Actor
from kit.editing.batches import write_batch
from kit.graphql.context import RequestContext
from kit.graphql.fields.mutations import Action, Change, Written, written_by
from kit.graphql.fields.reads import ListField, SingleField
from kit.graphql.fields.roots import RootField
from kit.rest.responses.answers import BatchSerializer, DeletedSerializer
from kit.rest.row_endpoint import MembersInput, RowEndpoint
from kit.values.json import JSONObject
from kit.values.text import with_article


def row_queries(endpoint: type[RowEndpoint], prefix: str = "") -> dict[str, RootField]:
    """The list and one row: `refundReasons`, `refundReason`. prefix: of the names of what the store has, too."""
    resource, permission = endpoint.resource, endpoint.permissions["retrieve"]
    noun, nouns = endpoint.verbs.noun, endpoint.verbs.nouns
    return {
        f"{prefix}{resource.plural}": ListField(resource, f"{nouns.capitalize()}. For staff.", permission=permission),
        f"{prefix}{resource.name}": SingleField(resource, f"One {noun}. For staff.", permission=permission),
    }


def member_mutations(endpoint: type[RowEndpoint]) -> dict[str, RootField]:
    """`updateCollectionProducts`, for each of the endpoint's `members`."""
    return {
        f"update_{endpoint.resource.name}_{name}": Change(
            endpoint.resource,
            members.about,
            act=written_by(members.change, "id"),
            permission=members.permission,
            viewing=endpoint.permissions["retrieve"],
            input=MembersInput,
        )
        for name, members in endpoint.members.items()
    }


def row_mutations(endpoint: type[RowEndpoint]) -> dict[str, RootField]:
    """`createRefundReason`, `updateRefundReason`, `deleteRefundReason`, `restoreRefundReason`, `batchRefundReasons`.

    And those of its members.
    """
    resource, permissions, verbs = endpoint.resource, endpoint.permissions, endpoint.verbs
    one = with_article(verbs.noun)
    change = partial(Change, resource, viewing=permissions["retrieve"])
    fields: dict[str, RootField] = {
        f"create_{resource.name}": change(
            f"Create {one}.",
            act=partial(_create, endpoint),
            permission=permissions["create"],
            input=endpoint.inputs["create"],
            by_id=False,
        ),
        f"update_{resource.name}": change(
            f"Change {one}. Omitted fields are not changed, and metadata is merged.",
            act=written_by(endpoint.verbs.update, "id"),
            permission=permissions["update"],
            input=endpoint.inputs["update"],
        ),
        **member_mutations(endpoint),
    }
    if verbs.writes_batches:
        fields[f"batch_{resource.plural}"] = Action(
            BatchSerializer,
            f"Create, change and delete up to 500 {verbs.nouns}: all of them, or none.",
            act=partial(_batch, endpoint),
            input=endpoint.inputs["batch"],
        )
    if verbs.can_delete:
        fields[f"delete_{resource.name}"] = Action(
            DeletedSerializer, f"Delete {one}.", act=partial(_delete, endpoint), by_id=True
        )
    if verbs.can_restore:
        fields[f"restore_{resource.name}"] = change(
            f"Restore a deleted {verbs.noun}.", act=partial(_restore, endpoint), permission=permissions["restore"]
        )
    return fields


def _create(endpoint: type[RowEndpoint], *, actor: Actor, **values: Any) -> Written:
    return Written(endpoint.verbs.create(actor=actor, **values).pk)


def _restore(endpoint: type[RowEndpoint], *, actor: Actor, id: str) -> Written:
    endpoint.verbs.restore(actor=actor, ids=[id])
    return Written(id)


def _batch(endpoint: type[RowEndpoint], context: RequestContext, **values: Any) -> JSONObject:
    return asdict(write_batch(endpoint.verbs, actor=context.actor(endpoint.permissions["batch"]), **values))


def _delete(endpoint: type[RowEndpoint], context: RequestContext, *, id: str) -> JSONObject:
    endpoint.verbs.delete(actor=context.actor(endpoint.permissions["destroy"]), ids=[id])
    return {"id": id, "object": endpoint.resource.name, "deleted": True}
