"""Email, read from the environment: where it goes, and who sends it."""

from email.utils import parseaddr
from typing import Any

from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email

from kit.environment.typed_environment import Environment


def mail_server(env: Environment, name: str, default: str) -> dict[str, Any]:
    """The settings of a mail server, or of a folder for emails, by its URL. Raises ImproperlyConfigured."""
    try:
        config: dict[str, Any] = env.email_url_config(env.str(name) or default)
        is_named = not config["EMAIL_BACKEND"].endswith(".smtp.EmailBackend") or bool(config["EMAIL_HOST"])
    except (ImproperlyConfigured, ValueError):
        is_named = False
    if not is_named:  # without the URL, which has a password
        raise ImproperlyConfigured(
            f"{name} must be a URL such as smtp+tls://user:password@host:587, with %-escapes in the password."
        )
    path = config["EMAIL_FILE_PATH"]
    if config["EMAIL_BACKEND"].endswith(".filebased.EmailBackend") and not path.startswith("/"):
        raise ImproperlyConfigured(
            f"{name} must name a folder by its absolute path, four slashes as in filemail:////srv/mail, not '{path}'."
        )
    return config


def sender(env: Environment, name: str, default: str) -> str:
    """The address that emails are from, with or without a name. Raises ImproperlyConfigured."""
    text = env.str(name) or default
    _, address = parseaddr(text)
    is_whole = text == address or text.endswith(f"<{address}>")  # parseaddr finds an address in any text
    try:
        validate_email(address if is_whole else text)
    except ValidationError as error:
        raise ImproperlyConfigured(
            f"{name} must be an email address such as shop@shop.example or Shop <shop@shop.example>, not '{text}'."
        ) from error
    return text
