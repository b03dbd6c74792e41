"""The interface of accounts that can sign in, which staff and customers implement."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from kit.domain.actor import Actor


@dataclass(frozen=True, slots=True)
class Account:
    """An account, as currently stored.

    identity_id: the id in tokens and sessions; for staff, the user's id.
    stamp: changes with the password; tokens and sessions with another stamp are invalid.
    actor: its permissions. Its id is None until the registration is finished.
    """

    actor_type: str
    identity_id: str
    stamp: str
    actor: Actor
    email: str


@dataclass(frozen=True, slots=True)
class Credential:
    """The credential of a request. claims: those of its token; None for a session."""

    account: Account
    claims: Mapping[str, Any] | None = None


class Accounts(Protocol):
    """All accounts of one actor type. Emails are passed in lower case."""

    def authenticate(self, *, email: str, password: str, otp: str | None) -> Account:
        """The account with these credentials. Raises Unauthorized, after the same time for an unknown email."""
        ...

    def find(self, identity_id: str) -> Account | None:
        """The account as currently stored; None if it does not exist or may no longer sign in."""
        ...

    def find_open(self, identity_id: str, session_key: str) -> Account | None:
        """The same, and None also if the session has ended. One statement."""
        ...

    def find_by_email(self, email: str) -> Account | None:
        """The account with that email; None if there is none or it may no longer sign in."""
        ...

    def change_password(self, account: Account, *, hashed: str) -> bool:
        """Store a new password hash and a new stamp. Returns False if the account has another stamp by now."""
        ...
