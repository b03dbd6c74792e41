"""A function whose first call stands still once it has done its work."""

import threading
from types import ModuleType
from typing import Any

import pytest

_SECONDS = 20


class FirstCall:
    """Takes the place of the module's function of that name until the test ends."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str) -> None:
        self._function = getattr(module, name)
        self._done, self._released = threading.Event(), threading.Event()
        monkeypatch.setattr(module, name, self)

    def __call__(self, *given: Any) -> Any:
        result = self._function(*given)
        if not self._done.is_set():
            self._done.set()
            assert self._released.wait(_SECONDS)
        return result

    def wait(self) -> None:
        """Until it stands still."""
        assert self._done.wait(_SECONDS)

    def release(self) -> None:
        """Let it return."""
        self._released.set()
