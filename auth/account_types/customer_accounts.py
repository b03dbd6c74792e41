"""The accounts of customers: an email and a password, stored in AuthIdentity.

Why: docs/decisions/security.md#a-stamp-ends-tokens-and-sessions.
"""

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction

from auth.account_types.accounts import Account
from auth.errors import EmailTaken, WrongPassword
from auth.models import AuthIdentity
from auth.session_rows import is_open
from kit.domain.actor import Actor
from kit.reads.sql.keyed_rows import KeyedRows
from kit.safety.password_hash import password_matches
from kit.values.timestamps import now
from staff.models import new_stamp


class CustomerAccounts:
    """The accounts of actor type `customer`."""

    def authenticate(self, *, email: str, password: str, otp: str | None) -> Account:
        """Computes one hash, also for an unknown email. Customers have no second factor."""
        identity = AuthIdentity.objects.filter(email=email).first()
        if identity is None:
            make_password(password)
            raise WrongPassword
        if not _opens(identity, password):
            raise WrongPassword
        return _account_of(identity)

    def find(self, identity_id: str) -> Account | None:
        """A deleted customer has no identity, so its tokens and sessions are invalid. Called at each request."""
        return next((_account(*row) for row in _IDENTITIES.read([identity_id])), None)

    def find_open(self, identity_id: str, session_key: str) -> Account | None:
        return next((_account(*row) for row in _WITH_SESSION.read([identity_id], session_key)), None)

    def find_by_email(self, email: str) -> Account | None:
        """Includes unfinished registrations, since a stranger's must not block the email's owner."""
        identity = AuthIdentity.objects.filter(email=email).first()
        return None if identity is None else _account_of(identity)

    def change_password(self, account: Account, *, hashed: str) -> bool:
        """In one statement, so that only one of two concurrent changes succeeds."""
        unchanged = AuthIdentity.objects.filter(pk=account.identity_id, stamp=account.stamp)
        return unchanged.update(password=hashed, stamp=new_stamp(), updated_at=now()) == 1

    def register(self, *, email: str, password: str) -> Account:
        """A new account without an actor, or the existing one if it has no actor yet and the password matches.

        Creates one identity per email, also for concurrent registrations; only the loser computes a second hash.
        Raises EmailTaken.
        """
        identity = AuthIdentity.objects.filter(email=email).first()
        if identity is None:
            hashed = make_password(password)
            try:
                with transaction.atomic():
                    return _account_of(AuthIdentity.objects.create(email=email, password=hashed))
            except IntegrityError:
                identity = AuthIdentity.objects.get(email=email)
        if identity.customer_id is not None or not _opens(identity, password):
            raise EmailTaken
        return _account_of(identity)


def _opens(identity: AuthIdentity, password: str) -> bool:
    """Whether this is the identity's password. An outdated hash is replaced, which does not end sessions."""
    unchanged = AuthIdentity.objects.filter(pk=identity.pk, password=identity.password)
    return password_matches(password, identity.password, keep=lambda hashed: unchanged.update(password=hashed))


def _account_of(identity: AuthIdentity) -> Account:
    return _account(identity.pk, identity.email, identity.customer_id, identity.stamp)


def _account(identity_id: str, email: str, customer_id: str | None, stamp: str) -> Account:
    actor = Actor(type="customer", id=customer_id, identity=identity_id)
    return Account("customer", identity_id, stamp, actor, email)


_COLUMNS = ("id", "email", "customer_id", "stamp")
_IDENTITIES = KeyedRows(AuthIdentity.objects.all, key="id", columns=_COLUMNS)
_WITH_SESSION = KeyedRows(lambda key: AuthIdentity.objects.filter(is_open(key)), key="id", columns=_COLUMNS)
