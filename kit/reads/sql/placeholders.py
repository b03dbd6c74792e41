"""The shape of a request apart from its values, so that SQL compiled once serves every request of that shape.

The ORM compiles a queryset that is filled with unique markers; where each marker comes out unchanged among the
parameters, the text is kept and real values take the markers' places. Of lookups that change their value on the link,
`contains` and `icontains` are known by the pattern they write; others (a date adapted to SQLite's text) hide their
marker: such a shape is compiled again each time.

Why: docs/decisions/reads.md.
"""

import re
import uuid
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any, ClassVar

from kit.domain.actor import TRUSTED, Actor, ActorType
from kit.query.conditions import Condition, Found, Is, Not, Some, Words

_TOKEN = f"Mark{uuid.uuid4().hex}"  # of capitals and small letters, so that a rule that changes either is noticed
_EPOCH = datetime(1901, 1, 1, tzinfo=UTC)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of a request's nth value among a statement's parameters."""

    number: int


@dataclass(frozen=True, slots=True)
class Pattern(Slot):
    """The place of a text that may stand anywhere in what is compared: it is written as a LIKE pattern."""


@dataclass(frozen=True, slots=True)
class ActorShape:
    """What a visibility rule may depend on, without the values: the type, whether there is an id, how many channels.

    known: for trusted actors, the permissions that rules are known to ask for. held: those that the actor holds.
    """

    type: ActorType
    has_id: bool
    channels: int
    known: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()


def actor_shape(actor: Actor) -> ActorShape:
    """The actor's shape. Actors who are not trusted hold no permissions."""
    known = _Asked.permissions if actor.is_trusted else frozenset()
    held = frozenset(filter(actor.may, known)) if known else known
    return ActorShape(actor.type, actor.id is not None, len(actor.sales_channel_ids), known, held)


class _Asked:
    """The permissions that rules have asked for. There are few: one for each kind of rows."""

    permissions: ClassVar[frozenset[str]] = frozenset()


def actor_values(actor: Actor) -> tuple[object, ...]:
    """The values of an actor, in the order of their slots."""
    return (actor.id, *actor.sales_channel_ids)


@dataclass(frozen=True, slots=True)
class OfType:
    """Stands for a value of that type in a condition's shape."""

    type: type


def split(condition: Condition) -> tuple[Condition, list[object]]:
    """The condition with types in place of its values, and the values in the order of their types.

    True, False and null decide which SQL is written, so they stay.
    """
    values: list[object] = []
    return _emptied(condition, values), values


def _emptied(condition: Condition, values: list[object]) -> Condition:
    if isinstance(condition, Some):
        return Some(condition.relation, _emptied(condition.part, values))
    if isinstance(condition, Found | Not):
        return type(condition)(_emptied(condition.part, values))
    if isinstance(condition, Words):
        raise TypeError("convert words by answerable() before splitting their condition")
    if not isinstance(condition, Is):
        return type(condition)(tuple(_emptied(part, values) for part in condition.parts))
    value = condition.value
    if value is None or isinstance(value, bool):
        return condition
    values.extend(value if isinstance(value, tuple) else (value,))
    types = tuple(OfType(type(item)) for item in value) if isinstance(value, tuple) else OfType(type(value))
    return Is(condition.lookup, types, condition.negated)


class Placeholders:
    """Markers handed out while a query is compiled, and found again among its parameters."""

    def __init__(self) -> None:
        self._slots: dict[Hashable, Slot] = {}

    def value(self, like: type, slot: int) -> Any:
        """A value of that type that stands for the slot. Raises NoPlaceholder for a type without markers."""
        marker: Any
        if like is str:
            marker = f"{_TOKEN}:{slot}"
        elif like is datetime:
            marker = _EPOCH + timedelta(days=slot)
        else:
            raise NoPlaceholder
        self._slots[marker] = Slot(slot)
        return marker

    def condition(self, shape: Condition, numbers: Iterator[int]) -> Condition:
        """The condition with a marker in place of each type."""
        if isinstance(shape, Some):
            return Some(shape.relation, self.condition(shape.part, numbers))
        if isinstance(shape, Found | Not):
            return type(shape)(self.condition(shape.part, numbers))
        if isinstance(shape, Words):
            raise TypeError("words have no shape")
        if not isinstance(shape, Is):
            return type(shape)(tuple(self.condition(part, numbers) for part in shape.parts))
        value = shape.value
        if isinstance(value, tuple):
            value = tuple(self.value(each.type, next(numbers)) for each in value)
        elif isinstance(value, OfType):
            number = next(numbers)
            value = self.value(value.type, number)
            if shape.lookup.endswith(("__contains", "__icontains")):
                self._slots[f"%{value}%"] = Pattern(number)
        return Is(shape.lookup, value, shape.negated)

    def actor(self, shape: ActorShape, *, first_slot: int = 0) -> Actor:
        """An actor of that shape whose values are markers, numbered from first_slot in the order of `actor_values`.

        It raises NoPlaceholder when it is asked for a permission that is not known yet: further shapes will know it.
        """
        channels = tuple(self.value(str, first_slot + 1 + number) for number in range(shape.channels))
        actor_id = self.value(str, first_slot) if shape.has_id else None
        return Actor(type=shape.type, id=actor_id, sales_channel_ids=channels, permitted=partial(_holds, shape))

    def template(self, parameters: Sequence[Any], *, required: range, times: int | None = 1) -> tuple[object, ...]:
        """The parameters with slots in place of markers.

        Raises NoPlaceholder unless each required slot is found exactly that many times (None: at least once), and for a
        parameter that contains a changed marker, or a moment: a rule that reads the clock must read it each time.
        """
        slotted = tuple(self._slots.get(value, value) if isinstance(value, Hashable) else value for value in parameters)
        numbers = [value.number for value in slotted if isinstance(value, Slot)]
        counts = [numbers.count(number) for number in required]
        if not all(counts) or (times is not None and any(each != times for each in counts)):
            raise NoPlaceholder
        if any(isinstance(value, date) or (isinstance(value, str) and _is_changed(value)) for value in slotted):
            raise NoPlaceholder
        return slotted


def _holds(shape: ActorShape, permission: str) -> bool:
    if permission in shape.known or shape.type not in TRUSTED:
        return permission in shape.held
    _Asked.permissions |= {permission}
    raise NoPlaceholder


def _is_changed(text: str) -> bool:
    """Whether a text is a marker that some lookup has changed, or a moment as SQLite takes them."""
    return _TOKEN.lower() in text.lower() or _MOMENT.match(text) is not None


class NoPlaceholder(Exception):
    """The shape's SQL cannot be kept: a value changes on its way into the statement."""
