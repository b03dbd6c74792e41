"""The postal codes of geo zones. Letter case, blanks and hyphens do not matter.

An expression is a text (that code), a list of them (any), or an object: `{"prefix": "10"}`, or
`{"from": "75000", "to": "75999"}`, a range of codes or of their beginnings.
"""

from kit.values.json import JSON


def matches(expression: JSON, postal_code: str) -> bool:
    """Whether the expression matches the code. An invalid expression matches none; an empty code matches none."""
    code = _plain(postal_code)
    if not code:
        return False
    match expression:
        case str():
            return code == _plain(expression)
        case list():
            return any(matches(each, postal_code) for each in expression)
        case {"prefix": str(prefix)}:
            return bool(_plain(prefix)) and code.startswith(_plain(prefix))
        case {"from": str(first), "to": str(last)}:
            low, high = _plain(first), _plain(last)
            return bool(low) and low <= code[: len(low)] and code[: len(high)] <= high
    return False


def _plain(code: str) -> str:
    return "".join(code.split()).replace("-", "").casefold()
