"""The names of currencies, and the codes of ISO 4217 that nobody pays with."""

from functools import cache

import pycountry

NOT_PAID_WITH = frozenset(
    "bov che chw clf cou mxv usn uyi uyw xad xag xau xba xbb xbc xbd xdr xpd xpt xsu xts xua xxx".split()
)
"""Units of account, metals, and the codes for tests and for no currency."""


@cache
def currency_name(code: str) -> str:
    """The English name of a stored code, such as `Euro`."""
    found = pycountry.currencies.get(alpha_3=code.upper())
    return str(found.name) if found else code.upper()
