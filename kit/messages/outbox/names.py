"""The names of events. Apps above this one define them, and commerce/wiring.py registers them."""

from collections.abc import Mapping

from kit.domain.hooks import Wired

EVENT_NAMES = Wired[Mapping[str, str]]("the names of events")
"""Each name with its meaning, in one sentence."""
