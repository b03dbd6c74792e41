"""How far a backup or a restoration is."""

from collections.abc import Callable

Advance = Callable[[int], object]
"""Called with the number of further bytes."""

Progress = Callable[[str, int], Advance]
"""Called when a step begins, with its name and the number of its bytes; 0 if it is not known."""
