"""Who can sign in. Each kind of account (staff, customers) is kept by an app of its own behind one shape."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from commerce.kit.core.actor import Actor


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
    email: str


@dataclass(frozen=True, slots=True)
class Credential:
    """What a request proved its account with. `claims` are those of its token; None for a session."""

    account: Account
    claims: Mapping[str, Any] | None = None


class Accounts(Protocol):
    """All accounts of one actor type. E-mails come lower-case."""

    def authenticate(self, *, email: str, password: str, otp: str | None) -> Account:
        """The account that these open. Raises Unauthorized; an unknown e-mail must take as long as a wrong password."""
        ...

    def find(self, identity_id: str) -> Account | None:
        """The account as it is now; None when it is gone or may no longer sign in."""
        ...

    def find_by_email(self, email: str) -> Account | None:
        """The account of that e-mail; None when there is none or it may no longer sign in."""
        ...

    def change_password(self, account: Account, *, hashed: str) -> bool:
        """Keep another password's hash, under a new stamp; False where the stamp is not the account's any more."""
        ...


@runtime_checkable
class OpenAccounts(Accounts, Protocol):
    """Accounts that anybody may open for themselves."""

    def register(self, *, email: str, password: str) -> Account:
        """A new account without actor; the one there is, where it has none yet and the password opens it.

        Raises EmailTaken.
        """
        ...
