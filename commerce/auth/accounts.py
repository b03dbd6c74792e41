"""Who can sign in. Each kind of account (staff, customers) is kept by an app of its own behind one shape."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from commerce.core.actor import Actor


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who has signed in, as the database knows them at this moment.

    identity_id: what tokens and sessions name them by; a staff user's own id.
    stamp: changes with the password; tokens and sessions made under another stamp are dead.
    actor: what they may do. Its id is None while a registration is not finished.
    """

    actor_type: str
    identity_id: str
    stamp: str
    actor: Actor


@dataclass(frozen=True, slots=True)
class Credential:
    """What a request proved its account with. `claims` are those of its token; None for a session."""

    account: Account
    claims: Mapping[str, Any] | None = None


class Accounts(Protocol):
    """All accounts of one actor type."""

    def authenticate(self, *, email: str, password: str, otp: str | None) -> Account:
        """The account that these open. Raises Unauthorized; an unknown e-mail must take as long as a wrong password."""
        ...

    def find(self, identity_id: str) -> Account | None:
        """The account as it is now; None when it is gone or may no longer sign in."""
        ...
