"""Customers as accounts: an e-mail and a password each, kept in AuthIdentity.

Source: behaviour.md 5.2; 0.8.
"""

from django.contrib.auth.hashers import check_password, make_password
from django.db import IntegrityError, transaction

from commerce.auth.accounts import Account
from commerce.auth.errors import EmailTaken, WrongPassword
from commerce.auth.models import AuthIdentity, new_stamp
from commerce.core.actor import Actor
from commerce.core.timestamps import now


class CustomerAccounts:
    """The accounts of actor type `customer`."""

    def authenticate(self, *, email: str, password: str, otp: str | None) -> Account:
        """Whatever is wrong costs one hash. Customers have no second factor."""
        identity = AuthIdentity.objects.filter(email=email).first()
        if identity is None:
            make_password(password)
            raise WrongPassword
        if not _opens(identity, password):
            raise WrongPassword
        return _account(identity)

    def find(self, identity_id: str) -> Account | None:
        """A deleted customer has no identity: their tokens and sessions name nobody."""
        return _account_of(AuthIdentity.objects.filter(pk=identity_id).first())

    def find_by_email(self, email: str) -> Account | None:
        """Of those whose registration is not finished too: a stranger's must not keep an e-mail from its owner."""
        return _account_of(AuthIdentity.objects.filter(email=email).first())

    def change_password(self, account: Account, *, hashed: str) -> bool:
        """In one statement, so that of two at once one finds the stamp gone."""
        unchanged = AuthIdentity.objects.filter(pk=account.identity_id, stamp=account.stamp)
        return unchanged.update(password=hashed, stamp=new_stamp(), updated_at=now()) == 1

    def register(self, *, email: str, password: str) -> Account:
        """One identity for each e-mail, however many register at once."""
        hashed = make_password(password)
        try:
            with transaction.atomic():
                return _account(AuthIdentity.objects.create(email=email, password=hashed))
        except IntegrityError:
            identity = AuthIdentity.objects.get(email=email)
        if identity.customer_id is not None or not _opens(identity, password):
            raise EmailTaken
        return _account(identity)


def _opens(identity: AuthIdentity, password: str) -> bool:
    """Whether it is the identity's password; one hashed in an older way is hashed anew, which ends nothing."""

    def keep(fresh: str) -> None:
        AuthIdentity.objects.filter(pk=identity.pk, password=identity.password).update(password=make_password(fresh))

    return check_password(password, identity.password, keep)


def _account_of(identity: AuthIdentity | None) -> Account | None:
    return None if identity is None else _account(identity)


def _account(identity: AuthIdentity) -> Account:
    actor = Actor(type="customer", id=identity.customer_id, identity=identity.pk)
    return Account("customer", identity.pk, identity.stamp, actor, identity.email)
