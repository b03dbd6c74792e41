"""The addresses that an account has signed in from, so that strangers' guesses cannot lock its owner out.

An address is an IPv4 address or the /64 network of IPv6. Only keyed digests are kept, for
settings.KNOWN_ADDRESS_LIFETIME.
"""

from datetime import timedelta

from django.conf import settings

from auth.models import KnownAddress
from kit.safety.keyed_digests import keyed_digest, keyed_digests
from kit.values.timestamps import now
from kit.writes.batched_deletion import delete_in_batches

ADDRESS_DIGESTS = "commerce.auth.known_networks"
_WRITTEN_AFTER = timedelta(days=1)


def is_known(account: str, address: str) -> bool:
    """Whether the account was signed in to from the address within settings.KNOWN_ADDRESS_LIFETIME. One statement."""
    alive = KnownAddress.objects.filter(seen_at__gt=now() - settings.KNOWN_ADDRESS_LIFETIME)
    return alive.filter(pk__in=keyed_digests(ADDRESS_DIGESTS, _subject(account, address))).exists()


def remember(account: str, address: str) -> None:
    """Record that the account was signed in to from the address. Writes at most once a day."""
    digest, moment = keyed_digest(ADDRESS_DIGESTS, _subject(account, address)), now()
    if not KnownAddress.objects.filter(pk=digest, seen_at__gt=moment - _WRITTEN_AFTER).exists():
        KnownAddress.objects.bulk_create(
            [KnownAddress(digest=digest, seen_at=moment)],
            update_conflicts=True,
            unique_fields=["digest"],
            update_fields=["seen_at"],
        )


def discard_expired() -> int:
    """Delete the expired addresses; returns how many."""
    return delete_in_batches(KnownAddress.objects.filter(seen_at__lte=now() - settings.KNOWN_ADDRESS_LIFETIME))


def _subject(account: str, address: str) -> str:
    return f"{account} {address}"
