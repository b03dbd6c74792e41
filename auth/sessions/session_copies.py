"""Copies of sessions in Redis, so that a request reads the session's row and its account by one statement, not two.

A copy names the account of a session, and nothing else. It never decides: the statement that reads the account also
requires the session's row, so a session that has ended opens nothing, whatever Redis still holds and however it was
ended. Hence nothing has to be deleted in Redis. A session always keeps its account, since sign-ins change its key.

The key in Redis is a digest of the session's. The value is encrypted by a key derived from SECRET_KEY and the session's
key: what Redis holds opens no session, and nobody who can write there can make a copy. Import this only with
SESSIONS_IN_REDIS, since its library is an extra.
Why: docs/decisions/operations.md#a-cached-session-is-never-trusted-alone.
"""

from contextlib import suppress

import orjson
from cryptography.fernet import InvalidToken, MultiFernet

from auth.account_types.accounts import Account
from auth.account_types.actors import resolve_open
from kit.database.redis_client import NoAnswer, ask
from kit.safety.keyed_digests import keyed_digest
from kit.safety.sealing import derived_fernet

LIFETIME_SECONDS = 60
SESSION_COPIES = "commerce.auth.session_copies"
_USE = "sessions"


def copied_account(session_key: str) -> Account | None:
    """The account of an open session that Redis has a copy of. One statement; without a copy, none."""
    try:
        sealed = ask(lambda redis: redis.get(_key(session_key)), use=_USE)
    except NoAnswer:
        return None
    if sealed is None:
        return None
    try:
        actor_type, identity_id, stamp = orjson.loads(_seal(session_key).decrypt(sealed, ttl=LIFETIME_SECONDS))
    except InvalidToken:
        return None
    return resolve_open(session_key, actor_type, identity_id, stamp)


def copy(session_key: str, account: Account) -> None:
    """Keep a copy for LIFETIME_SECONDS, unless Redis does not answer."""
    text = orjson.dumps((account.actor_type, account.identity_id, account.stamp))
    sealed = _seal(session_key).encrypt(text)
    with suppress(NoAnswer):
        ask(lambda redis: redis.set(_key(session_key), sealed, ex=LIFETIME_SECONDS), use=_USE)


def _key(session_key: str) -> str:
    return f"session:{keyed_digest(SESSION_COPIES, session_key)}"


def _seal(session_key: str) -> MultiFernet:
    return derived_fernet(salt=SESSION_COPIES.encode(), info=session_key.encode(), fallbacks=False)
