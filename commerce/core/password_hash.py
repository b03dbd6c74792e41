"""Passwords as files bring them: in clear text, or hashed already."""

from django.contrib.auth.hashers import identify_hasher, make_password


def hash_of(password: str) -> str:
    """The hash to keep: of a clear text a new one, of a hash itself."""
    try:
        identify_hasher(password)
    except ValueError:
        return make_password(password)
    return password
