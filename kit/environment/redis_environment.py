"""The settings of Redis: one address, and a switch for each thing that it may hold."""

import re

from django.core.exceptions import ImproperlyConfigured

from kit.environment.optional_dependencies import require_extra
from kit.environment.typed_environment import Environment

_EXAMPLE = "REDIS_URL=redis://:PASSWORD@HOST:6379/0"


def redis_url(env: Environment) -> str:
    """REDIS_URL; may be empty. Raises ImproperlyConfigured."""
    url = env.str("REDIS_URL")
    if url and not re.match(r"(rediss?://[^/]|unix:///)", url):  # without the URL, which has a password
        raise ImproperlyConfigured(
            f"REDIS_URL must begin with redis:// or rediss:// and a host, or with unix:///, as {_EXAMPLE}."
        )
    return url


def redis_switch(env: Environment, name: str, url: str) -> bool:
    """Whether the switch is on. Raises ImproperlyConfigured if it is, without an address or the library."""
    if not env.bool(name, False):
        return False
    if not url:
        raise ImproperlyConfigured(f"{name} is set, but REDIS_URL is not: set {_EXAMPLE}, or remove {name}.")
    require_extra(name, library="redis", module="redis", extra="redis")
    return True
