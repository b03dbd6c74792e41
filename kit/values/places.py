"""Countries and provinces, in the form in which they are stored: `us`, `us-ny`; and the names of stored ones.

Source: ISO 3166-1 and 3166-2 as pycountry lists them. Why: docs/decisions/carts.md#a-province-may-stay-as-it-was-typed.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import pycountry

from kit.errors import InvalidData, shown
from kit.values.local_names import local_names
from kit.values.province_names import COMMON_NAMES, FORMS

_KOSOVO = "xk"
"""A user-assigned code that carriers and the European Union know; ISO lists none."""
COUNTRIES = frozenset({_KOSOVO, *(entry.alpha_2.lower() for entry in pycountry.countries)})
"""The codes of all countries."""
_OTHER_NAMES = {
    **dict.fromkeys(("uk", "greatbritain", "england", "scotland", "wales", "northernireland"), "gb"),
    **dict.fromkeys(("usa", "unitedstatesofamerica"), "us"),
}
_PLAIN_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "\u0131": "i", "æ": "ae", "œ": "oe", "&": " and "})
"""Letters that do not decompose, such as the Turkish dotless i."""
_SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
"""How German is written on keyboards without umlauts."""
_CODE = re.compile(r"([a-z]{2})-[a-z0-9]{1,3}")


def country(code: str, *, field: str = "country_code") -> str:
    """The code in lower case. Raises InvalidData, naming the field, for what ISO 3166-1 does not list."""
    lower = code.strip().lower()
    if lower not in COUNTRIES:
        raise InvalidData(f"'{shown(code)}' of field '{field}' is not an ISO 3166-1 country code")
    return lower


def province(text: str, *, country_code: str | None, field: str = "province") -> str:
    """The lower-case code of the province that the text means: a name of it, its code or the code's suffix (`NY`).

    country_code: lower-case; without it a whole code alone is understood. Raises InvalidData, naming the field.
    """
    found = _code_of(text, country_code)
    if found is None:
        raise _unknown(text, country_code, field)
    return found


def address_province(text: str | None, *, country_code: str | None) -> str | None:
    """The province of an address: as `province` if the text means one, else the text as typed; None for a blank one.

    A code of another country becomes the name of its province: `us-ny` is `New York` in Germany. Raises InvalidData for
    one that no country has, such as `us-zz`.
    """
    if text is None or not text.strip():
        return None
    found, code = _code_of(text, country_code), _CODE.fullmatch(_lower(text))
    if found or code is None or code[1] not in COUNTRIES:
        return found or text
    elsewhere = _code_of(text, code[1])
    if elsewhere is None:
        raise _unknown(text, country_code, "province")
    named = province_name(elsewhere) if country_code else elsewhere
    return _code_of(named, country_code) or named


def country_code_of(text: str) -> str | None:
    """The code of the country that the text names, or is: `gb` for `United Kingdom`, `Great Britain` and `GB`."""
    return _country_names().get(_folded(text))


def country_name(code: str | None) -> str:
    """The English name of a stored code, such as `Germany`; "" without one."""
    if code == _KOSOVO:
        return "Kosovo"
    found = pycountry.countries.get(alpha_2=code.upper()) if code else None
    return str(getattr(found, "common_name", found.name)) if found else code or ""


def province_name(text: str | None) -> str:
    """The name of a stored province, such as `New York` for `us-ny`; a text that is no code, as it is."""
    code = _CODE.fullmatch(text) if text else None
    names = (entry.name for entry in (_subdivisions(code[1]) if code else ()) if entry.code.lower() == text)
    return next((next(_spellings(name)).strip() for name in names), text or "")


def province_to_edit(text: str | None) -> str:
    """What a form shows of a stored province: its name, or its code where another province has the name, too."""
    name, code = province_name(text), _CODE.fullmatch(text) if text else None
    return name if code is None or _code_of(name, code[1]) == text else str(text)


@cache
def _country_names() -> Mapping[str, str]:
    common = {_folded(country_name(code)): code for code in COUNTRIES}
    official = {_folded(entry.name): entry.alpha_2.lower() for entry in pycountry.countries}
    return {**_OTHER_NAMES, **{code: code for code in COUNTRIES}, **official, **common}


def _code_of(text: str, country_code: str | None) -> str | None:
    """The code that the text means; without a country it must be a complete code."""
    lower = _lower(text)
    whose = country_code or lower.partition("-")[0]
    if whose not in COUNTRIES:
        return None
    if lower in _codes(whose):
        return lower
    suffix_or_name = lower.removeprefix(f"{whose}-") if _CODE.fullmatch(lower) else lower
    return _names(whose).get(_folded(suffix_or_name)) if country_code else None


def _unknown(text: str, country_code: str | None, field: str) -> InvalidData:
    place = f"of '{country_code}'" if country_code else "of any country"
    return InvalidData(f"'{shown(text)}' of field '{field}' is not an ISO 3166-2 province {place}")


def _lower(text: str) -> str:
    return text.strip().lower()


@cache
def _codes(country_code: str) -> frozenset[str]:
    return frozenset(entry.code.lower() for entry in _subdivisions(country_code))


@cache
def _names(country_code: str) -> Mapping[str, str]:
    """The country's codes by their names, folded. If names clash, those of ISO win and suffixes lose.

    If a province has the same name as the region around it, the name means the province.
    """
    outermost_first = sorted(_subdivisions(country_code), key=lambda entry: entry.parent_code is not None)
    official = [(entry.name, entry.code.lower()) for entry in outermost_first]
    spelled = [(spelling, code) for name, code in official for spelling in _spellings(name)]
    local = [(spelling, code) for name, code in local_names(country_code, official) for spelling in _spellings(name)]
    common = [
        (name, f"{country_code}-{suffix}")
        for suffix, names in COMMON_NAMES.get(country_code, {}).items()
        for name in names.split(",")
    ]
    dressed = [
        (form.format(name), code) for form in FORMS.get(country_code, ()) for name, code in common + local + spelled
    ]
    suffixes = [(code.partition("-")[2], code) for _, code in official]
    return {
        key: code
        for name, code in (*suffixes, *dressed, *local, *spelled, *common, *official)
        for key in (_folded(name), _folded(name.casefold().translate(_SPELLED_OUT)))
    }


@cache
def _subdivisions(country_code: str) -> Sequence[pycountry.db.Data]:
    return [entry for entry in pycountry.subdivisions if entry.country_code == country_code.upper()]


def _spellings(name: str) -> Iterator[str]:
    """The name as people write it: ISO has `Bristol, City of`, `Catalunya [Cataluña]`, `Wales [Cymru GB-CYM]`."""
    plain, _, other = re.sub(r"\(.*\)", "", name).rstrip(" ]").partition("[")
    yield plain
    yield re.sub(r" [A-Z]{2}-[A-Z0-9]+$", "", other) or plain
    first, _, last = plain.partition(", ")
    yield f"{last} {first}"


def _folded(text: str) -> str:
    """Letters and digits alone, without case and accents: `Île-de-France` as `iledefrance`, `N.Y.` as `ny`."""
    plain = unicodedata.normalize("NFKD", text.casefold().translate(_PLAIN_LETTERS))
    return "".join(filter(str.isalnum, plain))
