"""Tokens of API keys: `pk_` or `sk_` and 32 random bytes in hex. Source: behaviour.md 5.3."""

import hashlib
import re
import secrets

from apikeys.states import KeyType

PREFIXES = {KeyType.PUBLISHABLE: "pk_", KeyType.SECRET: "sk_"}
SHORTEST, LONGEST = 32, 80
"""Characters: tokens that came with a shop file may be of another length than our own 67."""


def new_token(type: KeyType) -> str:
    """A token that nobody has had."""
    return PREFIXES[type] + secrets.token_hex(32)


def digest(token: str) -> str:
    """What a key is found by: the SHA-256 of the token, in hex."""
    return hashlib.sha256(token.encode()).hexdigest()


def redacted(token: str) -> str:
    """The masked form that people recognise a key by, `pk_a1b***9f0`."""
    return f"{token[:6]}***{token[-3:]}"


def is_token(text: str, type: KeyType) -> bool:
    """Whether the text can be a token of that type at all: what cannot be one is not looked up."""
    long_enough = SHORTEST <= len(text) <= LONGEST
    return long_enough and text.startswith(PREFIXES[type]) and text.isascii() and text.isprintable()


def columns(token: str, type: KeyType) -> dict[str, str]:
    """What a key's row keeps of its token: `token` (empty for a secret one), `digest` and `redacted`."""
    clear = token if type == KeyType.PUBLISHABLE else ""
    return {"token": clear, "digest": digest(token), "redacted": redacted(token)}


def dumped(redacted: str, digest: str) -> str:
    """A secret token in a shop file: what is left of it."""
    return f"{redacted}${digest}"


def dumped_columns(text: str, type: KeyType) -> dict[str, str] | None:
    """The columns of a secret token that was dumped; None for anything else."""
    parts = re.fullmatch(r"(sk_[!-#%-~]{1,13})\$([0-9a-f]{64})", text) if type == KeyType.SECRET else None
    return {"token": "", "digest": parts[2], "redacted": parts[1]} if parts else None
