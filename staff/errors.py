"""Refusals about staff."""

from kit.errors import Duplicate, Forbidden, NotAllowed


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
