"""GraphQL fields of rows that staff maintain, made from the same declaration as their routes."""

from functools import partial
from typing import Any

from kit.domain.actor import Actor
from kit.graphql.context import RequestContext
from kit.graphql.fields.mutations import Action, Change, Written, written_by
from kit.graphql.fields.reads import ListField, SingleField
from kit.graphql.fields.roots import RootField
from kit.rest.responses.answers import DeletedSerializer
from kit.rest.row_endpoint import RowEndpoint
from kit.values.json import JSONObject


def row_queries(endpoint: type[RowEndpoint], prefix: str = "") -> dict[str, RootField]:
    """The list and one row: `refundReasons`, `refundReason`. prefix: of the names of what the store has, too."""
    resource, permission = endpoint.resource, endpoint.permissions["retrieve"]
    noun, nouns = endpoint.verbs.noun, str(endpoint.verbs.model._meta.verbose_name_plural)
    return {
        f"{prefix}{resource.plural}": ListField(resource, f"{nouns.capitalize()}. For staff.", permission=permission),
        f"{prefix}{resource.name}": SingleField(resource, f"One {noun}. For staff.", permission=permission),
    }


def row_mutations(endpoint: type[RowEndpoint]) -> dict[str, RootField]:
    """`createRefundReason`, `updateRefundReason` and `deleteRefundReason`."""
    resource, noun, permissions = endpoint.resource, endpoint.verbs.noun, endpoint.permissions
    change = partial(Change, resource, viewing=permissions["retrieve"])
    return {
        f"create_{resource.name}": change(
            f"Create a {noun}.",
            act=partial(_create, endpoint),
            permission=permissions["create"],
            input=endpoint.inputs["create"],
            by_id=False,
        ),
        f"update_{resource.name}": change(
            f"Change a {noun}. Omitted fields are not changed, and metadata is merged.",
            act=written_by(endpoint.verbs.update, "id"),
            permission=permissions["update"],
            input=endpoint.inputs["update"],
        ),
        f"delete_{resource.name}": Action(
            DeletedSerializer, f"Delete a {noun}.", act=partial(_delete, endpoint), by_id=True
        ),
    }


def _create(endpoint: type[RowEndpoint], *, actor: Actor, **values: Any) -> Written:
    return Written(endpoint.verbs.create(actor=actor, **values).pk)


def _delete(endpoint: type[RowEndpoint], context: RequestContext, *, id: str) -> JSONObject:
    endpoint.verbs.delete(actor=context.actor(endpoint.permissions["destroy"]), ids=[id])
    return {"id": id, "object": endpoint.resource.name, "deleted": True}
