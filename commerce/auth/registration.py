"""Opening an account by e-mail and password."""

from commerce.auth.accounts import Account
from commerce.auth.actors import open_accounts_of
from commerce.auth.errors import EmailTaken
from commerce.auth.passwords import checked_password
from commerce.kit.core import email_address
from commerce.kit.throttling.counters import counted


def register(*, actor_type: str, email: str, password: str, client: str) -> Account:
    """A new account, whose actor does not exist yet; for an unfinished registration, the same account again.

    actor_type: one whose accounts anybody may open. client: the caller's network address.

    An e-mail that an actor signs in with is refused before anything is computed. Other attempts are counted per e-mail,
    with a low limit: for an unfinished registration they are guesses at its password. Either way costs one hash.
    Must not be called inside a transaction (RuntimeError): the counts stand whatever becomes of the request.
    Raises InvalidData (email, password), EmailTaken, TooManyRequests, Unavailable.
    Source: behaviour.md 0.2, 0.11, 0.34, 0.38, 5.2.
    """
    address = email_address.checked(email)
    accounts = open_accounts_of(actor_type)
    with counted({"client_flood": f"registration {client}"}):
        present = accounts.find_by_email(address)
        if present is not None and present.actor.id is not None:
            raise EmailTaken
        if present is None:
            checked_password(password, email=address)
        with counted({"registration": f"{actor_type}:{address}"}):
            return accounts.register(email=address, password=password)
