"""The names of events. Apps above this one define them, and commerce/wiring.py registers them."""

from collections.abc import Collection, Mapping

from kit.domain.hooks import Wired

EVENT_NAMES = Wired[Mapping[str, str]]("the names of events")
"""Each name with its meaning, in one sentence."""
MERGED_EVENTS = Wired[Collection[str]]("the events that are merged before they are sent")
"""Events whose data are lists of ids by key, such as `ids`: several can be merged into one."""
