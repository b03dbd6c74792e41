"""Email addresses, in the one form in which they are kept and compared: lower-case ASCII, without spaces around.

A domain of another script is kept as IDNA 2008 writes it in ASCII: `info@müller.de` as `info@xn--mller-kva.de`.
Why: docs/decisions/customers.md#email-addresses-are-lower-case-ascii.
"""

import unicodedata

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from kit.errors import InvalidData

LONGEST = 254
"""Characters, by RFC 5321."""
_WRITTEN_TOGETHER = ({"CJK", "HIRAGANA", "KATAKANA"}, {"CJK", "HANGUL"}, {"CJK", "BOPOMOFO"})
"""Scripts of one language. All others in one label are there to look like another domain."""
_SCRIPTS_OF_MARKS = {"KATAKANA-HIRAGANA": "KATAKANA", "IDEOGRAPHIC": "CJK", "MODIFIER": None}
"""Of letters whose names begin otherwise: ー, 々, and the U+02BB of Hawaiian, which many scripts have."""


def normalized(text: str) -> str:
    """The text as an address would be kept, whether it is one or not.

    Before the @, letters of other scripts stay: the small letter of U+212A, the sign of kelvin, is an ASCII k.
    """
    address = text.strip()
    if address.isascii():
        return address.lower()
    local, at, domain = address.rpartition("@")
    if not local.isascii() or len(address) > LONGEST:
        return address
    return f"{local.lower()}{at}{_ascii_domain(domain)}"


def fault(address: str) -> str | None:
    """What is wrong with an address in the form of `normalized`, as the end of a sentence about it, or None."""
    if len(address) > LONGEST:
        return f"too long, expected at most: '{LONGEST}' characters"
    try:
        validate_email(address)
    except ValidationError:
        return "is not an email address"
    return None if address.isascii() and not _mixes_scripts(address) else "is not an email address"


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


def _ascii_domain(domain: str) -> str:
    """The domain as it is if IDNA 2008 does not allow it."""
    import idna  # noqa: PLC0415 - megabytes of tables that most processes never need

    try:
        return idna.encode(unicodedata.normalize("NFC", domain.lower())).decode()
    except idna.IDNAError:
        return domain


def _mixes_scripts(address: str) -> bool:
    """Whether a label of the domain has letters of scripts that no language writes together."""
    if "xn--" not in address:
        return False
    import idna  # noqa: PLC0415 - as above

    try:
        labels = idna.decode(address.rpartition("@")[2]).split(".")
    except idna.IDNAError:  # a domain of before IDNA 2008
        return False
    return any(
        len(scripts) > 1 and not any(scripts <= together for together in _WRITTEN_TOGETHER)
        for scripts in map(_scripts, labels)
    )


def _scripts(label: str) -> set[str]:
    """The first words of the letters' names, which are their scripts: LATIN, CYRILLIC, CJK."""
    words = (unicodedata.name(letter, "").partition(" ")[0] for letter in label if letter.isalpha())
    return {script for word in words if (script := _SCRIPTS_OF_MARKS.get(word, word)) is not None}
