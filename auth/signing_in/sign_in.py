"""Signing in with email and password, for every actor type, from the API and the admin site."""

from auth.account_types.accounts import Account
from auth.account_types.actors import accounts_of
from auth.signing_in.known_networks import is_known, remember
from kit.safety.password_hashers import demand_room
from kit.safety.throttling.counters import counted, reset, uncount
from kit.values import email_address


def sign_in(*, actor_type: str, email: str, password: str, client: str, otp: str | None = None) -> Account:
    """The account with that email (in any letter case) and password.

    actor_type: a known one. client: the caller's network address. otp: the one-time password of a second factor.

    Attempts are counted before the password is checked: by account and address, with a low limit; by account and day,
    for all addresses that the account is not known from; and by address, with a high limit. A success clears the first
    count and does not add to the second; a new password resets both. Attempts that are refused earlier do not count.
    Must not be called inside a transaction (RuntimeError): the throttle must count even if the request fails.
    Raises Unauthorized, TooManyRequests, Unavailable.
    Why: docs/decisions/security.md#attempts-are-counted-by-account-and-by-address,
    docs/decisions/security.md#each-purpose-has-a-flood-limit-of-its-own.
    """
    demand_room()
    address = email_address.normalized(email)
    accounts = accounts_of(actor_type)
    present = accounts.find_by_email(address)
    name = f"{actor_type}:{address}"
    subject = f"{name} {present.stamp if present else ''}"  # the stamp changes with the password
    here = {"login_account": f"{subject} {client}"}
    anywhere = {} if is_known(name, client) else {"login_account_daily": subject}
    with counted({"client_flood": f"sign-in {client}", **here, **anywhere}):
        account = accounts.authenticate(email=address, password=password, otp=otp)
    for throttle, counted_subject in here.items():
        reset(throttle=throttle, subject=counted_subject)
    uncount(anywhere)
    remember(name, client)
    return account
