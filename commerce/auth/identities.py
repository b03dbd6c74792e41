"""What the app of customers does with the identities that its customers sign in by."""

from django.db import transaction

from commerce.auth.errors import InvalidToken
from commerce.auth.models import AuthIdentity
from commerce.core.locking import lock_rows


def lock_registration(identity_id: str) -> AuthIdentity:
    """The identity, locked until the transaction ends. Raises InvalidToken where it is gone."""
    found = lock_rows(AuthIdentity.objects.filter(pk=identity_id))
    if not found:
        raise InvalidToken
    return found[0]


def finish_registration(identity: AuthIdentity, *, customer_id: str) -> None:
    """Let the identity be the customer's. Its tokens open the customer from now on."""
    identity.customer_id = customer_id
    identity.save(update_fields=["customer_id", "updated_at"])


@transaction.atomic
def end_identity(*, customer_id: str) -> None:
    """Forget how the customer signs in: tokens and sessions end at once, and the e-mail is free."""
    AuthIdentity.objects.filter(customer_id=customer_id).delete()
