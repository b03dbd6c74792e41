"""Registering an account with an email and a password."""

from auth.account_types.accounts import Account
from auth.account_types.customer_accounts import CustomerAccounts
from auth.errors import EmailTaken
from auth.passwords.password_rules import checked_password
from auth.signing_in.staff_registration import register_staff
from auth.tokens.tokens import issue
from kit.safety.throttling.counters import counted
from kit.values import email_address


def register(*, actor_type: str, email: str, password: str, client: str) -> str:
    """The token of the registration. It becomes an account of a customer, or of staff who were invited.

    actor_type: a known one. client: the caller's network address.
    Raises what `register_customer` and `register_staff` do.
    """
    if actor_type == "user":
        return register_staff(email=email, password=password, client=client)
    return issue(register_customer(email=email, password=password, client=client))


def register_customer(*, email: str, password: str, client: str) -> Account:
    """A new account without an actor or, for an unfinished registration, the same account again.

    client: the caller's network address.

    An email that has an account with an actor is refused before a hash is computed. Other attempts are counted per
    email, with a low limit, since they may be guesses at the password of an unfinished registration. They compute one
    hash.
    Must not be called inside a transaction (RuntimeError): the throttle must count even if the request fails.
    Raises InvalidData (email, password), EmailTaken, TooManyRequests, Unavailable.
    Why: docs/decisions/security.md#a-taken-email-is-refused-before-a-hash.
    """
    address = email_address.checked(email)
    accounts = CustomerAccounts()
    with counted({"client_flood": f"registration {client}"}):
        present = accounts.find_by_email(address)
        if present is not None and present.actor.id is not None:
            raise EmailTaken
        if present is None:
            checked_password(password, email=address)
        with counted({"registration": f"customer:{address}"}):
            return accounts.register(email=address, password=password)
