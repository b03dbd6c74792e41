"""The customers app's operations on the identities that its customers sign in with."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from auth.errors import InvalidAuthToken
from auth.models import AuthIdentity
from kit.database.locking import lock_rows


def lock_registration(identity_id: str) -> AuthIdentity:
    """The identity, locked until the transaction ends. Raises InvalidAuthToken if it no longer exists."""
    found = lock_rows(AuthIdentity.objects.filter(pk=identity_id))
    if not found:
        raise InvalidAuthToken
    return found[0]


def finish_registration(identity: AuthIdentity, *, customer_id: str) -> None:
    """Assign the identity to the customer. From now on its tokens act for the customer."""
    identity.customer_id = customer_id
    identity.save(update_fields=["customer_id", "updated_at"])


@transaction.atomic
def delete_identities(*, customer_ids: Sequence[str]) -> None:
    """Delete the customers' identities. Tokens and sessions end immediately, and the emails are free."""
    AuthIdentity.objects.filter(customer_id__in=customer_ids).delete()


@dataclass(frozen=True, slots=True)
class LoadedAccount:
    """The account of a customer in a shop file. hashed: the password's hash."""

    customer_id: str
    email: str
    hashed: str


@transaction.atomic
def load_identities(accounts: Sequence[LoadedAccount]) -> None:
    """Create identities for new customers. Unfinished registrations with the same emails are deleted."""
    AuthIdentity.objects.filter(email__in=[each.email for each in accounts], customer_id=None).delete()
    AuthIdentity.objects.bulk_create(
        AuthIdentity(email=each.email, password=each.hashed, customer_id=each.customer_id) for each in accounts
    )


def password_hashes(customer_ids: Sequence[str]) -> dict[str, str]:
    """The password hashes of these customers, for those with an account."""
    identities = AuthIdentity.objects.filter(customer_id__in=customer_ids)
    return {identity.customer_id: identity.password for identity in identities if identity.customer_id is not None}
