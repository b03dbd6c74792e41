"""Tokens in emails."""

import base64
import hashlib
import hmac

from django.conf import settings

TOKEN_PURPOSE = b"commerce.mails.token"


def mail_token(kind: str, about: str, number: int) -> str:
    """The token of an email: 256 bits that nobody else can compute, as 43 characters for URLs.

    The same at each attempt to send the email, so that whichever attempt arrives holds the valid one. Tables need only
    its `token_digest`, and the row that it opens decides when it expires and whether it was used.
    """
    named = "\0".join((kind, about, str(number))).encode()
    key = hmac.digest(settings.SECRET_KEY.encode(), TOKEN_PURPOSE, "sha256")
    return base64.urlsafe_b64encode(hmac.digest(key, named, "sha256")).rstrip(b"=").decode()


def token_digest(token: str) -> str:
    """What tables keep of a token: 64 hexadecimal digits."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()
