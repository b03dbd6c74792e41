"""Signing stored sessions again after a change of SECRET_KEY. Copies in Redis are made again by themselves."""

from collections.abc import Callable, Iterable
from contextlib import suppress

from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core.signing import BadSignature, TimestampSigner

from kit.values.timestamps import now

_Rows = Iterable[tuple[str, str]]


def reseal_sessions(watch: Callable[[_Rows, str, int], _Rows]) -> int:
    """Sign with SECRET_KEY what one of SECRET_KEY_FALLBACKS has signed; returns how many sessions.

    watch: passes the sessions on, for progress, by their name and number.
    """
    living = Session.objects.filter(expire_date__gt=now()).values_list("pk", "session_data")
    return sum(_reseal(key, data) for key, data in watch(living.iterator(), "sessions", living.count()))


def _reseal(key: str, data: str) -> int:
    salt = SessionStore().key_salt
    try:
        TimestampSigner(salt=salt, fallback_keys=[]).unsign(data)
    except BadSignature:
        with suppress(BadSignature):  # of an unknown secret: its owner has to sign in again
            signer = TimestampSigner(salt=salt)
            signed = signer.sign(signer.unsign(data))
            return Session.objects.filter(pk=key, session_data=data).update(session_data=signed)
    return 0
