"""The shop's clock, stopped: rows get their dates from it, as they do in use."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, tzinfo
from typing import Any

import pytest


class _Datetimes(type):
    """Every datetime is an instance, as of the class that is replaced."""

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, datetime)


@contextmanager
def at(moment: datetime) -> Iterator[None]:
    """Within the block `kit.values.timestamps.now` is that moment."""

    class Stopped(datetime, metaclass=_Datetimes):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Any:
            return moment.astimezone(tz)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("kit.values.timestamps.datetime", Stopped)
        yield
