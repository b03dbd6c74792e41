"""Refusals about staff."""

from kit.domain.missing_row import RowNotFound
from kit.errors import Duplicate, Forbidden, InvalidData, NotAllowed


class UserNotFound(RowNotFound):
    """No user with that id, or a deleted one."""

    noun = "User"


class OnlySuperusers(Forbidden):
    """The user may not invite staff."""

    message = "Only superusers may invite staff"


class AlreadyStaff(Duplicate):
    """There is a user with that email, active or not."""

    def __init__(self, email: str) -> None:
        super().__init__(f"There is already a member of staff with the email '{email}'")


class NoPublicAddress(NotAllowed):
    """The email could not link to this server."""

    message = "Set PUBLIC_URL to invite staff: the link in the email needs the address of this server"


class InvitationOver(NotAllowed):
    """The invitation has expired, was accepted, replaced or withdrawn, or its inviter may no longer invite."""

    message = "This invitation is no longer valid. Ask for a new one."


class InvitationNotFound(RowNotFound):
    """No invitation with that id, or one that was accepted, replaced or withdrawn, or whose inviter may not invite."""

    noun = "Invitation"


class OtherInvitedEmail(InvalidData):
    """Whoever registered is not who was invited."""

    message = "Value for field 'email' must be the email that was invited and registered"


class RightsMissing(Forbidden):
    """The action would give its caller more than they have: by a role, or by the account of another user."""

    message = "This needs rights that you do not have: you cannot give or manage more than your own"


class OwnAccount(NotAllowed):
    """Users cannot delete themselves, so there is always a superuser."""

    message = "You cannot delete your own account"
