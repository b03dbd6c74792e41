"""Email addresses, in the one form in which they are kept and compared: lower-case, without spaces around.

Why: docs/decisions/customers.md#email-addresses-are-lower-case-ascii.
"""

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from kit.errors import InvalidData

LONGEST = 254
"""Characters, by RFC 5321."""


def normalized(text: str) -> str:
    """The text as an address would be kept, whether it is one or not.

    Letters of other scripts stay: the small letter of U+212A, the sign of kelvin, is an ASCII k.
    """
    address = text.strip()
    return address.lower() if address.isascii() else address


def fault(address: str) -> str | None:
    """What is wrong with the address, as the end of a sentence about it, or None.

    International domains are taken in their ASCII form: databases do not agree on the small letters of all scripts.
    """
    if len(address) > LONGEST:
        return f"too long, expected at most: '{LONGEST}' characters"
    try:
        validate_email(address)
    except ValidationError:
        return "is not an email address"
    return None if address.isascii() else "is not an email address"


def checked(text: str, *, field: str = "email") -> str:
    """The address that the text means. Raises InvalidData, naming the field, for text that is none."""
    address = normalized(text)
    problem = fault(address)
    if problem:
        raise InvalidData(f"Value for field '{field}' {problem}")
    return address


def masked(address: str) -> str:
    """The address with only its first letter and its domain: `a•••@example.com`."""
    name, _, domain = address.rpartition("@")
    return f"{name[:1]}•••@{domain}"
