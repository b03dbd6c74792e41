"""Passwords and their hashes: whether one opens the other, and what to keep of what a file brings."""

from collections.abc import Callable
from contextlib import suppress

from django.contrib.auth.hashers import check_password, identify_hasher, make_password

from commerce.core.errors import Unavailable


def opens(password: str | None, hashed: str, *, keep: Callable[[str], object]) -> bool:
    """Whether the hash is the password's. Where it was made in an older way, `keep` gets a present one of the same.

    Raises Unavailable while the process computes as many hashes as it may; for the present one another login will do.
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
