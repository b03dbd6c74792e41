"""Opening an account by e-mail and password."""

from commerce.auth.accounts import Account
from commerce.auth.actors import open_accounts_of
from commerce.auth.passwords import checked_password
from commerce.core import email_address
from commerce.throttling.counters import hit


def register(*, actor_type: str, email: str, password: str, client: str) -> Account:
    """A new account, whose actor does not exist yet; for an unfinished registration, the same account again.

    actor_type: one whose accounts anybody may open. client: the caller's network address.

    Attempts are counted per e-mail tightly, since that of an unfinished registration guesses at its password.
    Must not be called inside a transaction (RuntimeError): the counts stand whatever becomes of the request.
    Raises InvalidData (email, password), EmailTaken, TooManyRequests. Source: behaviour.md 0.2, 0.11, 5.2.
    """
    address = email_address.checked(email)
    hit(throttle="client_flood", subject=client)
    hit(throttle="registration", subject=f"{actor_type}:{address}")
    checked_password(password, email=address)
    return open_accounts_of(actor_type).register(email=address, password=password)
