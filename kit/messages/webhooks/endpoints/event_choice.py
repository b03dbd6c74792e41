"""Which events an address receives."""

from collections.abc import Iterable

from kit.errors import InvalidData
from kit.messages.outbox.names import EVENT_NAMES


def checked_events(names: Iterable[str]) -> list[str]:
    """The names, each once and sorted. Raises InvalidData for an unknown one."""
    chosen, known = sorted(set(names)), EVENT_NAMES.get()
    unknown = [name for name in chosen if name not in known]
    if unknown:
        raise InvalidData(f"Value for field 'events' has no event '{unknown[0]}'. Events: {', '.join(sorted(known))}")
    return chosen
