"""The routes of users and invitations that are about passwords."""

from rest_framework.request import Request

from auth.api.authentication import bearer_token
from auth.api.serializers import AcceptInviteInput
from auth.passwords.staff_passwords import count_mail_to, providers_of, send_reset_mail
from auth.signing_in.staff_registration import accept_invitation
from kit.errors import InvalidData
from kit.reads.resources import text
from kit.rest.endpoint import Endpoint
from kit.rest.preparation import before_transaction
from kit.rest.reads import ReadEndpoint
from kit.rest.responses.validation_problems import bracketed
from kit.rest.storage_limits import a_row
from kit.rest.viewsets import AdminEndpoint, AuthEndpoint
from kit.rest.writes import WriteEndpoint
from kit.values.json import JSONObject
from staff.actors import staff_actor
from staff.api.resources import USERS
from staff.api.serializers import ResetTokenSerializer, UserProvidersSerializer


class UserPasswords(ReadEndpoint, AdminEndpoint):
    """New passwords of users."""

    resource = USERS
    answers = {"reset": ResetTokenSerializer}
    permissions = {"reset": "staff.change_user"}
    is_throttled = True

    def count(self, request: Request, id: str) -> None:
        """Count the email; a repeated request with the same Idempotency-Key is not counted."""
        count_mail_to(actor=self.actor, user_id=id)

    @before_transaction(count)
    def reset(self, request: Request, _counted: None, id: str) -> JSONObject:
        """Send a user the email to set a new password. The token is in the email alone."""
        send_reset_mail(actor=self.actor, user_id=id)
        return {"token": ""}


class UserProviders(ReadEndpoint, AdminEndpoint):
    """How users sign in."""

    resource = USERS
    answers = {"providers": UserProvidersSerializer}
    permissions = {"providers": "staff.view_user"}

    def providers(self, request: Request, id: str) -> JSONObject:
        """List the ways in which a user can sign in: `emailpass`, or none without a password."""
        return {"providers": providers_of(actor=self.actor, user_id=id)}


class InviteAcceptance(WriteEndpoint, AuthEndpoint):
    """For the invited, who have no account yet: the token of their registration is the credential."""

    resource = USERS
    authentication_classes = ()
    inputs = {"create": AcceptInviteInput}
    adds = {"create": a_row}
    own_parameters = {"token": "The token of the invitation. Required."}
    place = staticmethod(bracketed)

    @classmethod
    def offered(cls, action: str) -> tuple[str, ...]:
        return ("token", "fields")

    def take_query(self) -> None:
        """`token` is the invitation's; the rest selects fields."""
        Endpoint.take_query(self)
        self.invite_token = text("token", self.query.pop("token", None))
        if not self.invite_token:
            raise InvalidData("Field 'token' is required")
        self.read_query = self.resource.single_query(self.query)

    def create(self, request: Request) -> JSONObject:
        """Accept an invitation, with the token of the registration as Bearer. The answer is the new user."""
        user = accept_invitation(
            invite_token=str(self.invite_token), registration_token=bearer_token(request), **self.body()
        )
        self.actor = staff_actor(user)
        return self.written(user.pk)
