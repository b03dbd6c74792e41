"""Ids: a resource's prefix and a ULID, as in `pcat_01M7YFFGP5KZSV6BCYAH0DKTPR`; they sort by the time of creation."""

import secrets
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_PAIRS = tuple(first + second for first in _CROCKFORD for second in _CROCKFORD)
"""Two characters for each ten bits."""
_SHIFTS = range(120, -1, -10)
"""Where the ten bits of each of a ULID's 13 pairs begin."""
_RANDOM_BITS = 80

ID_MAX_LENGTH = 64


def new_ulid() -> str:
    """26 characters of upper-case Crockford base32; later calls of one process sort later.

    Within one millisecond the random part counts up, so that rows loaded in bulk keep the order of their file.
    """
    return _ulid(_values.next())


class _Values:
    """The process's ULIDs as numbers: milliseconds since 1970, then random bits, always rising."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0

    def next(self) -> int:
        moment = time.time_ns() // 1_000_000
        with self._lock:
            if moment <= self._last >> _RANDOM_BITS:
                self._last += 1
            else:
                self._last = (moment << _RANDOM_BITS) | secrets.randbits(_RANDOM_BITS)
            return self._last


_values = _Values()


def new_id(prefix: str) -> str:
    """`<prefix>_<ULID>`."""
    return f"{prefix}_{new_ulid()}"


def new_secret_id(prefix: str) -> str:
    """One that reveals no other id, for rows that anyone who knows their id may read: 80 bits of it are random.

    Those that a process makes within one millisecond do not sort by their creation.
    """
    fresh = (time.time_ns() // 1_000_000 << _RANDOM_BITS) | secrets.randbits(_RANDOM_BITS)
    return f"{prefix}_{_ulid(fresh)}"


def _ulid(value: int) -> str:
    return "".join([_PAIRS[value >> shift & 1023] for shift in _SHIFTS])


class ByteOrdered(models.Field[str, str]):
    """Text that compares byte by byte: tree paths are ranges of ids, and a language's collation would tear them."""

    def db_parameters(self, connection: BaseDatabaseWrapper) -> Any:
        parameters = super().db_parameters(connection)
        if connection.vendor == "postgresql":
            parameters["collation"] = "C"
        return parameters


class IdField(ByteOrdered, models.CharField[str, str]):
    """A text primary key that makes its own value; a value given by the caller is kept.

    is_secret: whether its values open what they name (see new_secret_id).
    """

    def __init__(self, *args: Any, prefix: str, is_secret: bool = False, **kwargs: Any) -> None:
        self.prefix = prefix
        self.is_secret = is_secret
        kwargs.update(primary_key=True, max_length=ID_MAX_LENGTH, editable=False, default=self._default())
        super().__init__(*args, **kwargs)

    def _default(self) -> Callable[[], str]:
        return partial(new_secret_id if self.is_secret else new_id, self.prefix)

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        for derived in ("primary_key", "max_length", "editable", "default"):
            del kwargs[derived]
        return name, path, args, {**kwargs, "prefix": self.prefix}

    def db_type(self, connection: BaseDatabaseWrapper) -> str | None:
        """Varchar by its long name: to the short one Django adds an index for LIKE, which collation C does without."""
        short = super().db_type(connection)
        return short.replace("varchar", "character varying") if short and connection.vendor == "postgresql" else short


class UnconstrainedIdField(ByteOrdered, models.CharField[Any, Any]):
    """The id of a row in another table, without a foreign key constraint. It sorts as that id does."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["max_length"] = ID_MAX_LENGTH
        super().__init__(*args, **kwargs)

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        del kwargs["max_length"]
        return name, path, args, kwargs
