"""Reading settings from the environment. A value that cannot be used is an error that names its variable."""

import builtins
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import environ
from django.core.exceptions import ImproperlyConfigured

_TRUE = environ.Env.BOOLEAN_TRUE_STRINGS
_FALSE = ("false", "off", "n", "no", "0")


def home(default: Path) -> Path:
    """The folder that COMMERCE_HOME names: of .env, and of everything that the shop writes."""
    named = os.environ.get("COMMERCE_HOME", "")
    folder = Path(named or default)
    if not (folder.is_absolute() and folder.is_dir()):
        raise ImproperlyConfigured(f"COMMERCE_HOME must be the absolute path of a folder that exists, not '{named}'.")
    return folder


class Environment(environ.FileAwareEnv):  # type: ignore[misc]
    """django-environ's, with stricter values. An empty number or switch counts as not set.

    All methods raise ImproperlyConfigured.
    """

    def int(
        self, name: str, default: builtins.int, *, at_least: builtins.int = 0, at_most: builtins.int | None = None
    ) -> builtins.int:
        """A whole number."""
        text = self.str(name, "") or str(default)
        try:
            number = int(text)
        except ValueError:
            number = None
        if number is None or number < at_least or (at_most is not None and number > at_most):
            wanted = f"of at least {at_least}" if at_most is None else f"from {at_least} to {at_most}"
            raise ImproperlyConfigured(f"{name} must be a whole number {wanted}, not '{text}'.")
        return number

    def bool(self, name: str, default: builtins.bool) -> builtins.bool:
        """A switch: true, on, ok, yes, y or 1; false, off, no, n or 0; in any case."""
        text = (self.str(name, "") or str(default)).strip().lower()
        if text not in (*_TRUE, *_FALSE):
            raise ImproperlyConfigured(f"{name} must be true or false, not '{text}'.")
        return text in _TRUE

    def choice(self, name: str, default: builtins.str, choices: Sequence[builtins.str]) -> builtins.str:
        """One of the choices, in exactly this spelling."""
        text: builtins.str = self.str(name, default)
        if text not in choices:
            named = f"{', '.join(choices[:-1])} or {choices[-1]}"
            raise ImproperlyConfigured(f"{name} must be {named}, not '{text}'.")
        return text

    def url(self, name: builtins.str) -> builtins.str:
        """An http or https URL, without a slash at its end; may be empty."""
        text: builtins.str = self.str(name, "").rstrip("/")
        if text and not re.match(r"https?://[^/]", text):
            raise ImproperlyConfigured(f"{name} must begin with http:// or https:// and a host, not '{text}'.")
        return text

    def dsn(self, name: builtins.str) -> builtins.str:
        """Where Sentry takes reports; may be empty."""
        text: builtins.str = self.str(name, "")
        if text and not re.fullmatch(r"https?://[^@/]+@[^@/]+/(.+/)?\d+", text):  # without the text, which has a key
            raise ImproperlyConfigured(f"{name} must be a DSN of Sentry, https://KEY@HOST/PROJECT.")
        return text

    def mapping(self, name: builtins.str, default: Mapping[builtins.str, builtins.str]) -> dict[Any, builtins.str]:
        """`key=value` pairs, separated by commas."""
        pairs = [pair.partition("=") for pair in self.list(name, default=[])]
        for key, equals, value in pairs:
            if not (key and value):
                raise ImproperlyConfigured(f"{name} must be id=value, comma-separated; '{key}{equals}{value}' is not.")
        return {key: value for key, _, value in pairs} or dict(default)

    def time_zone(self, name: builtins.str, default: builtins.str) -> builtins.str:
        """The name of a time zone."""
        text: builtins.str = self.str(name, default)
        try:
            ZoneInfo(text)
        except (OSError, ValueError, KeyError) as error:
            raise ImproperlyConfigured(f"{name} must be a time zone such as Europe/Berlin, not '{text}'.") from error
        return text

    def email(self, name: builtins.str, default: builtins.str) -> dict[builtins.str, Any]:
        """The settings of a mail server, by its URL."""
        try:
            config: dict[builtins.str, Any] = self.email_url_config(self.str(name, "") or default)
        except (ImproperlyConfigured, ValueError) as error:  # without the URL, which has a password
            raise ImproperlyConfigured(
                f"{name} must be a URL such as smtp+tls://user:password@host:587, with %-escapes in the password."
            ) from error
        return config
