"""Reading settings from the environment. A value that cannot be used is an error that names its variable."""

import builtins
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import environ
from django.core.exceptions import ImproperlyConfigured
from environ.fileaware_mapping import FileAwareMapping

_TRUE = environ.Env.BOOLEAN_TRUE_STRINGS
_FALSE = ("false", "off", "n", "no", "0")
_HTTP_URL = re.compile(r"https?://([\w.-]+|\[[0-9a-fA-F:]+\])(:(?P<port>\d+))?(/[^\s\"<>\\]*)?")
_LARGEST = 2**31 - 1
"""The largest number that PostgreSQL takes for a timeout; as seconds it is 68 years."""


def read_file(path: Path) -> None:
    """Add the variables of a file such as .env, if it exists, to the environment, which takes precedence."""
    try:
        path.read_text()
    except FileNotFoundError:
        return
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"{path} cannot be read: {_reason(error)}.") from error
    environ.Env.read_env(path)


class Environment(environ.FileAwareEnv):  # type: ignore[misc]
    """django-environ's, with stricter values. An empty number or switch counts as not set.

    names: of the variables that were asked for. All methods raise ImproperlyConfigured.
    """

    ENVIRON = FileAwareMapping(cache=False)

    def __init__(self) -> None:
        super().__init__()
        self.names: set[builtins.str] = set()

    def get_value(
        self,
        var: builtins.str,
        cast: Any = None,
        default: Any = environ.Env.NOTSET,
        parse_default: builtins.bool = False,
    ) -> Any:
        self.names.add(var)
        try:
            given = self.ENVIRON.get(var, "")
        except (OSError, UnicodeDecodeError) as error:  # without the path, which may be the secret itself
            raise ImproperlyConfigured(f"{var}_FILE names a file that cannot be read: {_reason(error)}.") from error
        if given.startswith("$") and given.lstrip("$") not in self.ENVIRON:
            raise ImproperlyConfigured(f"{var} begins with $ and so refers to another variable, which is not set.")
        return super().get_value(var, cast=cast, default=default, parse_default=parse_default)

    def str(self, name: builtins.str, default: builtins.str = "") -> builtins.str:
        """A text on one line. The line break at the end of a file is not part of it."""
        text: builtins.str = self.get_value(name, cast=str, default=default).rstrip("\r\n")
        if not text.isprintable():
            raise ImproperlyConfigured(f"{name} contains a line break or another character that cannot be printed.")
        return text

    def matching(
        self, name: builtins.str, default: builtins.str, pattern: builtins.str, wanted: builtins.str
    ) -> builtins.str:
        """A text that matches the whole pattern. wanted: says what does, for the error."""
        text = self.str(name, default)
        if not re.fullmatch(pattern, text):
            raise ImproperlyConfigured(f"{name} must be {wanted}, not '{text}'.")
        return text

    def list(self, name: builtins.str, default: Sequence[builtins.str] = ()) -> builtins.list[builtins.str]:
        """Texts, separated by commas; spaces around them do not matter."""
        texts = [text.strip() for text in self.str(name).split(",")]
        return [text for text in texts if text] or [*default]

    def folder(self, name: builtins.str, default: builtins.str) -> builtins.str:
        """The absolute path of a folder. Whether it can be used depends on who asks (commerce/operations/checks)."""
        text = self.str(name) or default
        if text and not text.startswith("/"):
            raise ImproperlyConfigured(f"{name} must be the absolute path of a folder, not '{text}'.")
        return text

    def home(self, name: builtins.str, default: Path) -> Path:
        """The folder of .env, and of everything that the shop writes."""
        named = self.str(name)
        folder = Path(named or default)
        if not (folder.is_absolute() and folder.is_dir()):
            raise ImproperlyConfigured(f"{name} must be the absolute path of a folder that exists, not '{named}'.")
        return folder

    def int(
        self, name: builtins.str, default: builtins.int, *, at_least: builtins.int = 0, at_most: builtins.int = _LARGEST
    ) -> builtins.int:
        """A whole number."""
        text = self.str(name, "") or str(default)
        try:
            number = int(text)
        except ValueError:
            number = None
        if number is None or not at_least <= number <= at_most:
            raise ImproperlyConfigured(f"{name} must be a whole number from {at_least} to {at_most}, not '{text}'.")
        return number

    def bool(self, name: builtins.str, default: builtins.bool) -> builtins.bool:
        """A switch: true, on, ok, yes, y or 1; false, off, no, n or 0; in any case."""
        text = (self.str(name, "") or str(default)).strip().lower()
        if text not in (*_TRUE, *_FALSE):
            raise ImproperlyConfigured(f"{name} must be true or false, not '{text}'.")
        return text in _TRUE

    def choice(self, name: builtins.str, default: builtins.str, choices: Sequence[builtins.str]) -> builtins.str:
        """One of the choices, in exactly this spelling."""
        text: builtins.str = self.str(name, default)
        if text not in choices:
            named = f"{', '.join(choices[:-1])} or {choices[-1]}"
            raise ImproperlyConfigured(f"{name} must be {named}, not '{text}'.")
        return text

    def url(self, name: builtins.str, default: builtins.str = "") -> builtins.str:
        """An http or https URL, without a slash at its end; may be empty."""
        text = self.str(name, default).rstrip("/")
        if text and not is_http_url(text):
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
        pairs = [pair.partition("=") for pair in self.list(name)]
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


def is_http_url(text: str) -> bool:
    """Whether the text is the URL of a server or page, without a name or password."""
    found = _HTTP_URL.fullmatch(text)
    return found is not None and int(found["port"] or 80) in range(1, 65_536)


def _reason(error: Exception) -> str:
    return error.strerror or "" if isinstance(error, OSError) else "it is not UTF-8"
