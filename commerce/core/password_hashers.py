"""How passwords are hashed (settings.PASSWORD_HASHERS), and how many hashes a process computes at a time.

Two at once; one more waits for a thread. Old hashes, which cost ten times the CPU and five times the memory, are
verified one at a time. Whatever asks for a hash beyond that is refused at once, so that sign-ins cannot hold all of the
threads that answer requests. The hashes have threads of their own, because malloc keeps the last 19 MiB of every thread
that has computed one. Source: behaviour.md 39.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from threading import BoundedSemaphore, Lock
from typing import TypeVar

from django.contrib.auth.hashers import Argon2PasswordHasher, PBKDF2PasswordHasher

from commerce.core.errors import Unavailable

Result = TypeVar("Result")

AT_ONCE = 2
WAITING = 1
_places = BoundedSemaphore(AT_ONCE + WAITING)
_places_for_old = BoundedSemaphore(1 + WAITING)
_turn_of_old = Lock()


class Argon2Hasher(Argon2PasswordHasher):
    """Argon2id at a cost that OWASP recommends. Hashes of a higher cost are verified, and replaced at login."""

    time_cost = 2
    memory_cost = 19_456  # KiB
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        """Raises Unavailable while the process computes as many hashes as it may."""
        return _compute(partial(super().encode, password, salt))

    def verify(self, password: str, encoded: str) -> bool:
        """Raises Unavailable while the process computes as many hashes as it may."""
        cost = self.decode(encoded)
        is_old = cost["memory_cost"] > self.memory_cost or cost["time_cost"] > self.time_cost
        return (_compute_old if is_old else _compute)(partial(super().verify, password, encoded))


class OldPBKDF2Hasher(PBKDF2PasswordHasher):
    """For hashes of other systems; its `verify` encodes. They are replaced at login."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """Raises Unavailable while the process computes as many hashes as it may."""
        return _compute_old(partial(super().encode, password, salt, iterations))


def demand_room() -> None:
    """Raise Unavailable while the process computes as many hashes as it may; asked before other work is done for one."""
    with _place(_places):
        pass


def _compute(hashing: Callable[[], Result]) -> Result:
    with _place(_places):
        return _threads(os.getpid()).submit(hashing).result()


def _compute_old(hashing: Callable[[], Result]) -> Result:
    with _place(_places), _place(_places_for_old), _turn_of_old:
        return _threads(os.getpid()).submit(hashing).result()


@contextmanager
def _place(places: BoundedSemaphore) -> Iterator[None]:
    if not places.acquire(blocking=False):
        raise Unavailable("Too many passwords are being checked at present, try again in a moment")
    try:
        yield
    finally:
        places.release()


@cache
def _threads(_process: int) -> ThreadPoolExecutor:
    """A child of fork() has none of its parent's threads."""
    return ThreadPoolExecutor(AT_ONCE, thread_name_prefix="hashing")
