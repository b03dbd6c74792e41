"""Tokens of API keys: `pk_` or `sk_` and 32 random bytes in hex. Source: behaviour.md 5.3."""

import hashlib
import secrets

from apikeys.states import KeyType

PREFIXES = {KeyType.PUBLISHABLE: "pk_", KeyType.SECRET: "sk_"}
LONGEST = 80
"""Characters: tokens that came with a shop file may be longer than our own 67."""


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
    return text.startswith(PREFIXES[type]) and len(text) <= LONGEST and text.isascii() and text.isprintable()
