"""Registering an account with an email and a password."""

from auth.account_types.accounts import Account
from auth.account_types.actors import registrable_accounts_of
from auth.errors import EmailTaken
from auth.passwords.password_rules import checked_password
from kit.safety.throttling.counters import counted
from kit.values import email_address


def register(*, actor_type: str, email: str, password: str, client: str) -> Account:
    """A new account without an actor or, for an unfinished registration, the same account again.

    actor_type: one that anybody can register. client: the caller's network address.

    An email that has an account with an actor is refused before a hash is computed. Other attempts are counted per
    email, with a low limit, since they may be guesses at the password of an unfinished registration. They compute one
    hash.
    Must not be called inside a transaction (RuntimeError): the throttle must count even if the request fails.
    Raises InvalidData (email, password), EmailTaken, TooManyRequests, Unavailable.
    Why: docs/decisions/security.md#a-taken-email-is-refused-before-a-hash.
    """
    address = email_address.checked(email)
    accounts = registrable_accounts_of(actor_type)
    with counted({"client_flood": f"registration {client}"}):
        present = accounts.find_by_email(address)
        if present is not None and present.actor.id is not None:
            raise EmailTaken
        if present is None:
            checked_password(password, email=address)
        with counted({"registration": f"{actor_type}:{address}"}):
            return accounts.register(email=address, password=password)
