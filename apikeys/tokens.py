"""Tokens of API keys: `pk_` or `sk_` and 32 random bytes in hex.

Why: docs/decisions/security.md#keys-are-found-by-the-digest-of-their-token.
"""

import hashlib
import re
import secrets

from apikeys.states import KeyType

PREFIXES = {KeyType.PUBLISHABLE: "pk_", KeyType.SECRET: "sk_"}
SHORTEST, LONGEST = 32, 80
"""Characters. Our own tokens have 67; those of a shop file may have another length."""


def new_token(type: KeyType) -> str:
    """A new random token."""
    return PREFIXES[type] + secrets.token_hex(32)


def digest(token: str) -> str:
    """The SHA-256 of the token, in hex, by which its key is looked up."""
    return hashlib.sha256(token.encode()).hexdigest()


def redacted(token: str) -> str:
    """The masked form that people recognise a key by, `pk_a1b***9f0`."""
    return f"{token[:6]}***{token[-3:]}"


def is_token(text: str, type: KeyType) -> bool:
    """Whether the text has the form of a token of that type; others are not looked up."""
    long_enough = SHORTEST <= len(text) <= LONGEST
    return long_enough and text.startswith(PREFIXES[type]) and text.isascii() and text.isprintable()


def columns(token: str, type: KeyType) -> dict[str, str]:
    """The columns stored for a token: `token` (empty for a secret one), `digest` and `redacted`."""
    clear = token if type == KeyType.PUBLISHABLE else ""
    return {"token": clear, "digest": digest(token), "redacted": redacted(token)}


def dumped(redacted: str, digest: str) -> str:
    """A secret key's token in a shop file: the masked form and the digest."""
    return f"{redacted}${digest}"


def dumped_columns(text: str, type: KeyType) -> dict[str, str] | None:
    """The columns of a dumped secret token; None for anything else."""
    parts = re.fullmatch(r"(sk_[!-#%-~]{1,13})\$([0-9a-f]{64})", text) if type == KeyType.SECRET else None
    return {"token": "", "digest": parts[2], "redacted": parts[1]} if parts else None
