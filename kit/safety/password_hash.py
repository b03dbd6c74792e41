"""Passwords and their hashes: checking them, and accepting those of a shop file."""

from collections.abc import Callable
from contextlib import suppress

from django.contrib.auth.hashers import check_password, identify_hasher, make_password

from kit.errors import Unavailable


def password_matches(password: str | None, hashed: str, *, keep: Callable[[str], object]) -> bool:
    """Whether the hash is the password's. If it is outdated, calls `keep` with a new hash of the same password.

    Raises Unavailable while the process computes as many hashes as it may. A new hash that fails for this reason is
    left to a later login.
    """

    def replace(password: str) -> None:
        with suppress(Unavailable):
            keep(make_password(password))

    return check_password(password, hashed, replace)


def hash_of(password: str) -> str:
    """The hash to keep: of a clear text a new one, of a hash itself."""
    try:
        identify_hasher(password)
    except ValueError:
        return make_password(password)
    return password
