"""The routes of users and invitations below /admin."""

from rest_framework.request import Request

from kit.rest.reads import List, ReadEndpoint, Retrieve
from kit.rest.responses.answers import DeletedSerializer
from kit.rest.row_endpoint import RowEndpoint
from kit.rest.viewsets import AdminEndpoint
from kit.rest.writes import WriteEndpoint
from kit.values.json import JSONObject
from staff import invitation_verbs
from staff.api.resources import INVITES, ME, USERS
from staff.api.serializers import InviteInput
from staff.user_editing import VERBS


class Users(RowEndpoint):
    """Members of staff. They come by invitation; a deleted one can no longer sign in, and keeps the history."""

    resource = USERS
    verbs = VERBS


class Me(ReadEndpoint, AdminEndpoint):
    """The caller."""

    resource = ME
    open_to_all_staff = frozenset({"me"})

    def me(self, request: Request) -> JSONObject:
        """Get the user of the token, session or secret key, with their permissions."""
        return {ME.name: self.read(str(self.actor.id), actor=self.actor)}


class Invites(List, Retrieve, WriteEndpoint, AdminEndpoint):
    """Invitations to become a member of staff. Only superusers see and send them."""

    resource = INVITES
    inputs = {"create": InviteInput}
    answers = {"destroy": DeletedSerializer}
    permissions = {
        "list": "staff.view_invitation",
        "retrieve": "staff.view_invitation",
        "create": "staff.add_invitation",
        "resend": "staff.change_invitation",
        "destroy": "staff.delete_invitation",
    }

    def create(self, request: Request) -> JSONObject:
        """Invite somebody by email. An earlier invitation of the same email ends."""
        sent = invitation_verbs.invite(actor=self.actor, **self.body())
        return self.written(sent.invitation.pk, token=sent.token)

    def resend(self, request: Request, id: str) -> JSONObject:
        """Send the invitation again, with a new token. The token of the previous email ends."""
        sent = invitation_verbs.resend(actor=self.actor, id=id)
        return self.written(sent.invitation.pk, token=sent.token)

    def destroy(self, request: Request, id: str) -> JSONObject:
        """Withdraw an invitation that was not accepted."""
        invitation_verbs.withdraw(actor=self.actor, id=id)
        return self.deleted(id)
