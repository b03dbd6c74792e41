"""Signing in by e-mail and password, for every kind of account and from every door."""

from commerce.auth.accounts import Account
from commerce.auth.actors import accounts_of
from commerce.core import email_address
from commerce.throttling.counters import forget, hit


def sign_in(*, actor_type: str, email: str, password: str, client: str, otp: str | None = None) -> Account:
    """The account that the e-mail (any letter case) and password open.

    actor_type: a known one. client: the caller's network address. otp: the one-time password of a second factor.

    Attempts are counted before they are made, per account tightly, per client loosely; a success clears the former.
    Must not be called inside a transaction (RuntimeError): the counts stand whatever becomes of the request.
    Raises Unauthorized, TooManyRequests. Source: behaviour.md 0.2, 0.10, 0.11.
    """
    address = email_address.normalized(email)
    subject = f"{actor_type}:{address}"
    hit(throttle="client_flood", subject=client)
    hit(throttle="login_account", subject=subject)
    account = accounts_of(actor_type).authenticate(email=address, password=password, otp=otp)
    forget(throttle="login_account", subject=subject)
    return account
