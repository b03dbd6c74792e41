"""The postal codes of geo zones. Letter case, blanks and hyphens do not matter.

An expression is a text (that code), a list of expressions (any of them), or an object:

- `{"prefix": "10"}`: codes that begin like that;
- `{"from": "75000", "to": "75999"}`: a range of codes or of their beginnings;
- `{"outward_code": "PA6"}`: a British code up to its blank.

British codes, alone, vary in length before the blank, and people leave the blank out: PA6 7LN begins with `PA67`, and
is not near PA67 8AB. So a prefix or range that can be the beginning of an outward code is compared with the outward
code alone, a prefix with a blank names the whole outward code, and a range is by number: `PA20` to `PA60` has PA38, and
neither PA6 nor PA2.
"""

import re

from django.core.exceptions import ValidationError

from kit.values.json import JSON

_BRITISH = frozenset({"gb", "gg", "im", "je"})
_INWARD = 3
"""How many characters a British code has behind its blank."""
_BEGINS_OUTWARD = re.compile(r"[a-z]{1,2}(?:[0-9][0-9a-z]?)?").fullmatch
_DISTRICT = re.compile(r"([a-z]{1,2})([0-9]{1,2})").match


def matches(expression: JSON, postal_code: str, country_code: str) -> bool:
    """Whether the expression matches the code. An invalid expression matches none; an empty code matches none."""
    code = _plain(postal_code)
    if not code:
        return False
    outward = code[:-_INWARD] if country_code.lower() in _BRITISH else ""
    match expression:
        case str():
            return code == _plain(expression)
        case list():
            return any(matches(each, postal_code, country_code) for each in expression)
        case {"outward_code": str(wanted)}:
            return bool(outward) and outward == _plain(wanted)
        case {"prefix": str(prefix)}:
            return _begins(code, outward, prefix)
        case {"from": str(first), "to": str(last)}:
            return _is_between(code, outward, _plain(first), _plain(last))
    return False


def problem(expression: JSON) -> str | None:
    """What is wrong with the expression, for people; None if it is valid."""
    match expression:
        case str() if _plain(expression):
            return None
        case list() if expression:
            return next(filter(None, map(problem, expression)), None)
        case {"prefix": str(text), **others} | {"outward_code": str(text), **others} if not others and _plain(text):
            return None
        case {"from": str(first), "to": str(last), **others} if not others and _plain(first) and _plain(last):
            return None
    return (
        'Expected a postal code, {"prefix": "10"}, {"from": "75000", "to": "75999"}, {"outward_code": "PA6"} or a list'
        " of these"
    )


def validate(expression: JSON) -> None:
    """A validator of the column. Raises ValidationError with what is wrong."""
    if text := problem(expression):
        raise ValidationError(text)


def _begins(code: str, outward: str, prefix: str) -> bool:
    plain, (head, *rest) = _plain(prefix), prefix.split() or [""]
    if outward and rest and _plain(head) != outward:
        return False
    if outward and not rest and _BEGINS_OUTWARD(plain):
        return outward.startswith(plain)
    return bool(plain) and code.startswith(plain)


def _is_between(code: str, outward: str, first: str, last: str) -> bool:
    if outward and _BEGINS_OUTWARD(first) and _BEGINS_OUTWARD(last):
        here, low, high = _district(outward), _district(first), _district(last)
        if here and low and high:
            return low <= here <= high
        code = outward
    return bool(first) and first <= code[: len(first)] and code[: len(last)] <= last


def _district(outward: str) -> tuple[str, int] | None:
    """PA20 as ("pa", 20); EC1A is in district 1."""
    found = _DISTRICT(outward)
    return (found[1], int(found[2])) if found else None


def _plain(code: str) -> str:
    return "".join(code.split()).replace("-", "").casefold()
