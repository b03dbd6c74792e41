"""What a process does to give memory back."""

import gc
import weakref

import pytest

from kit.server.memory import BYTES, Garbage, return_large_blocks

pytestmark = pytest.mark.once


class Ring:
    def __init__(self) -> None:
        self.itself = self


def test_garbage_is_collected_after_so_many_bytes() -> None:
    gc.disable()
    try:
        garbage, left = Garbage(), weakref.ref(Ring())
        garbage.add(BYTES - 1)
        assert left() is not None
        garbage.add(1)
        assert left() is None
        left = weakref.ref(Ring())
        garbage.add(BYTES - 1)
        assert left() is not None
    finally:
        gc.enable()


def test_any_platform_can_be_asked_to_return_memory() -> None:
    return_large_blocks()
