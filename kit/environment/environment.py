"""What settings read from the environment and must judge first: secrets and origins."""

import re
from collections.abc import Collection

from django.core.exceptions import ImproperlyConfigured

from kit.environment.typed_environment import Environment

_ORIGIN = re.compile(r"https?://(\*\.)?([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?")


def secret(env: Environment, name: str, *, production: bool) -> str:
    """A signing secret. In production it must be set and strong; development falls back to a fixed, public one."""
    value: str = env.get_value(name, cast=str, default="")  # as it is: a line break in a file has always belonged to it
    if _is_strong(value):
        return value
    if not production:
        return value or f"insecure-development-only-{name.lower()}-that-everybody-knows"
    problem = "is too weak" if value else "is not set"
    raise ImproperlyConfigured(
        f"{name} {problem}: set it to {_STRONG}, or set COMMERCE_ENV=development on a developer's machine."
    )


def former_secrets(env: Environment, name: str, *, production: bool) -> list[str]:
    """Secrets that were replaced, separated by commas; none by default. In production each must be strong."""
    named = env.list(name)
    for number, value in enumerate(named, start=1):
        if production and not _is_strong(value):
            raise ImproperlyConfigured(f"{name} is too weak at place {number}: it lists former secrets, as they were.")
    return named


def origins(env: Environment, name: str, *, may_be_wildcard: bool = False) -> list[str]:
    """Origins as browsers write them, `https://host` or `https://host:port`; none by default.

    may_be_wildcard: whether `https://*.shop.example` may name all subdomains.
    """
    named = env.list(name)
    for origin in named:
        if not _ORIGIN.fullmatch(origin) or ("*" in origin and not may_be_wildcard):
            raise ImproperlyConfigured(
                f"{name} holds '{origin}', which is not an origin such as https://www.shop.example."
            )
    return named


def shared_secret(env: Environment, name: str, *, apart_from: Collection[str]) -> str:
    """A secret shared with another program; may be empty, else must be strong and differ from the shop's others."""
    value = env.str(name)
    if value and not _is_strong(value):
        raise ImproperlyConfigured(f"{name} is too weak: set it to {_STRONG}, or leave it out.")
    if value and value in apart_from:
        raise ImproperlyConfigured(f"{name} must differ from the shop's other secrets: another program knows it.")
    return value


def credential(env: Environment, name: str, *, begins: tuple[str, ...]) -> str:
    """A secret of another service, which begins with one of these; may be empty."""
    value = env.str(name).strip()
    if value and not value.startswith(begins):
        raise ImproperlyConfigured(f"{name} must begin with {' or '.join(begins)}.")
    return value


_STRONG = (
    "at least 32 random characters, for example the output of "
    "`python -c 'import secrets; print(secrets.token_urlsafe(48))'`"
)


def _is_strong(value: str) -> bool:
    return len(value) >= 32 and len(set(value)) >= 10 and "insecure" not in value
