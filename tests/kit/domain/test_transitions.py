"""State machines as tables."""

from itertools import product

import pytest

from kit.domain.transitions import Transitions
from kit.errors import NotAllowed

DOOR = Transitions(
    of="The door",
    allowed={
        "open": frozenset({"closed"}),
        "closed": frozenset({"open", "locked"}),
        "locked": frozenset({"closed"}),
        "walled up": frozenset(),
    },
)
MOVES = {("open", "closed"), ("closed", "open"), ("closed", "locked"), ("locked", "closed")}


@pytest.mark.parametrize(("before", "after"), sorted(product(DOOR.states, repeat=2)))
def test_exactly_the_moves_of_the_table_are_allowed(before: str, after: str) -> None:
    if (before, after) in MOVES:
        DOOR.check(before=before, after=after)
        return
    with pytest.raises(NotAllowed) as refusal:
        DOOR.check(before=before, after=after)
    assert refusal.value.message == f"The door is {before} and cannot become {after}"


def test_a_state_outside_the_table_is_a_mistake_of_ours() -> None:
    with pytest.raises(KeyError):
        DOOR.check(before="ajar", after="open")


def test_it_knows_its_states() -> None:
    assert DOOR.states == {"open", "closed", "locked", "walled up"}
