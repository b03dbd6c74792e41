"""Which rows: a frozen tree of conditions, which becomes one Q.

Trees that differ only in their values share the SQL that was compiled for one of them (commerce/projection/markers.py).
"""

from dataclasses import dataclass
from typing import Any

from django.db.models import Q


@dataclass(frozen=True, slots=True)
class Is:
    """One lookup with its cleaned value."""

    lookup: str
    value: Any
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Every:
    """Every part holds; without parts, always true."""

    parts: tuple["Condition", ...] = ()


@dataclass(frozen=True, slots=True)
class Either:
    """At least one part holds."""

    parts: tuple["Condition", ...]


Condition = Is | Every | Either
EVERYTHING = Every()


def as_q(condition: Condition) -> Q:
    """The condition for `QuerySet.filter`."""
    match condition:
        case Is(lookup, value, negated):
            return ~Q(**{lookup: value}) if negated else Q(**{lookup: value})
        case Every(parts):
            return Q(*filter(None, map(as_q, parts)))
        case Either(parts):
            alternatives = [as_q(part) for part in parts]
            # An empty Q is always true; the ORM would leave it out of the alternatives instead.
            return Q(*alternatives, _connector=Q.OR) if all(alternatives) else Q()
