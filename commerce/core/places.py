"""Countries and provinces, in the form in which they are stored: `us`, `us-ny`.

Source: behaviour.md 0.22; ISO 3166-1 and 3166-2 as pycountry lists them.
"""

from collections.abc import Mapping
from functools import cache

import pycountry

from commerce.core.errors import InvalidData
from commerce.core.paging import shown

LONGEST_PROVINCE = 6
"""Characters of a province's code."""

_KOSOVO = "xk"
"""A user-assigned code that carriers and the European Union know; ISO lists none."""
_COUNTRIES = frozenset({_KOSOVO, *(entry.alpha_2.lower() for entry in pycountry.countries)})


def country(code: str, *, field: str = "country_code") -> str:
    """The code in lower case. Raises InvalidData, naming the field, for what ISO 3166-1 does not list."""
    lower = code.strip().lower()
    if lower not in _COUNTRIES:
        raise InvalidData(f"'{shown(code)}' of field '{field}' is not an ISO 3166-1 country code")
    return lower


def province(text: str, *, country_code: str | None, field: str = "province") -> str:
    """The code, lower-case, of the province that the text means: by code, by its suffix (`NY`) or by name.

    country_code: lower-case; without it a whole code alone is understood. Raises InvalidData, naming the field.
    """
    word = text.strip().casefold()
    whose = country_code or word.partition("-")[0]
    known = _provinces(whose) if whose in _COUNTRIES else {}
    found = known.get(word if country_code else f"{whose}-{word.partition('-')[2]}")
    if found is None:
        place = f"of '{country_code}'" if country_code else "of any country"
        raise InvalidData(f"'{shown(text)}' of field '{field}' is not an ISO 3166-2 province {place}")
    return found


@cache
def _provinces(country_code: str) -> Mapping[str, str]:
    """The country's codes by what they go by. Where a province bears the name of the land around it, it is meant."""
    entries = [entry for entry in pycountry.subdivisions if entry.country_code == country_code.upper()]
    outermost_first = sorted(entries, key=lambda entry: entry.parent_code is not None)
    codes = [entry.code.lower() for entry in entries]
    return {
        **{entry.name.casefold(): entry.code.lower() for entry in outermost_first},
        **{code.partition("-")[2]: code for code in codes},
        **{code: code for code in codes},
    }
