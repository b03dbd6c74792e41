"""Users and invitations in GraphQL."""

from functools import partial
from typing import Any

from kit.domain.actor import Actor
from kit.graphql.context import RequestContext
from kit.graphql.fields.mutations import Action, Change, Written
from kit.graphql.fields.reads import ListField, OwnField, SingleField
from kit.graphql.fields.rows import row_mutations, row_queries
from kit.rest.responses.answers import DeletedSerializer
from kit.values.json import JSONObject
from staff import invitation_verbs
from staff.api.resources import INVITES, ME
from staff.api.serializers import InviteInput
from staff.api.viewsets import Users

_VIEWING = "staff.view_invitation"
_change = partial(Change, INVITES, viewing=_VIEWING)


def _create(*, actor: Actor, **given: Any) -> Written:
    sent = invitation_verbs.invite(actor=actor, **given)
    return Written(sent.invitation.pk, {"token": sent.token})


def _resend(*, actor: Actor, id: str) -> Written:
    return Written(id, {"token": invitation_verbs.resend(actor=actor, id=id).token})


def _delete(context: RequestContext, *, id: str) -> JSONObject:
    invitation_verbs.withdraw(actor=context.actor("staff.delete_invitation"), id=id)
    return {"id": id, "object": INVITES.name, "deleted": True}


_USERS = row_mutations(Users)

QUERIES = {
    **row_queries(Users),
    "admin_me": OwnField(ME, "The caller, with their permissions. For staff.", who=RequestContext.staff),
    "invites": ListField(INVITES, "Invitations. For superusers.", permission=_VIEWING),
    "invite": SingleField(INVITES, "One invitation. For superusers.", permission=_VIEWING),
}
MUTATIONS = {
    **{name: _USERS[name] for name in ("update_user", "delete_user")},
    "create_invite": _change(
        "Invite somebody by email. The answer contains the token, which is never shown again.",
        act=_create,
        permission="staff.add_invitation",
        input=InviteInput,
        by_id=False,
    ),
    "resend_invite": _change(
        "Send the invitation again, with a new token.", act=_resend, permission="staff.change_invitation"
    ),
    "delete_invite": Action(
        DeletedSerializer, "Withdraw an invitation that was not accepted.", act=_delete, by_id=True
    ),
}
