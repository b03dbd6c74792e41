"""The names of events. Apps above this one define them, and commerce/wiring.py registers them."""

from collections.abc import Collection, Mapping

from kit.domain.hooks import Wired

EVENT_NAMES = Wired[Mapping[str, str]]("the names of events")
"""Each name with its meaning, in one sentence."""
MERGED_EVENTS = Wired[Collection[str]]("the events that are merged before they are sent")
"""Their data has the ids of rows by key, like `ids`: one of them can name the rows of many."""
