"""How passwords are hashed (settings.PASSWORD_HASHERS), and how many hashes a process computes at a time.

Two at a time; one more waits for its turn. Old hashes, which cost ten times the CPU and five times the memory, are
verified one at a time. Further requests for a hash are refused immediately, so that sign-ins cannot hold all of the
threads that answer requests.
Why: docs/decisions/security.md#a-process-hashes-two-passwords-at-a-time.
"""

from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock

from django.contrib.auth.hashers import Argon2PasswordHasher, PBKDF2PasswordHasher
from django.utils.crypto import constant_time_compare
from nacl.pwhash import argon2id

from kit.errors import Unavailable

AT_ONCE = 2
WAITING = 1
_places = BoundedSemaphore(AT_ONCE + WAITING)
_places_for_old = BoundedSemaphore(1 + WAITING)
_turns = BoundedSemaphore(AT_ONCE)
_turn_of_old = Lock()


class Argon2Hasher(Argon2PasswordHasher):
    """Argon2id at a cost that OWASP recommends. Hashes of a higher cost are verified and replaced at login.

    libsodium computes them: a quarter faster than the reference code that Django calls, and it returns the memory.
    """

    time_cost = 2
    memory_cost = 19_456  # KiB
    parallelism = 1  # libsodium supports no other
    salt_entropy = 95  # sixteen characters, the length that libsodium requires

    def must_update(self, encoded: str) -> bool:
        return super().must_update(encoded) or len(self.decode(encoded)["salt"]) != argon2id.SALTBYTES

    def encode(self, password: str, salt: str) -> str:
        """Raises Unavailable while the process computes as many hashes as it may."""
        with _turn():
            raw = argon2id.kdf(
                32, password.encode(), salt.encode(), opslimit=self.time_cost, memlimit=self.memory_cost * 1024
            )
        cost = f"m={self.memory_cost},t={self.time_cost},p={self.parallelism}"
        return f"{self.algorithm}$argon2id$v=19${cost}${_unpadded(salt.encode())}${_unpadded(raw)}"

    def verify(self, password: str, encoded: str) -> bool:
        """Raises Unavailable while the process computes as many hashes as it may."""
        if not self.must_update(encoded):
            return constant_time_compare(self.encode(password, self.decode(encoded)["salt"]), encoded)
        with _turn_for_old():
            return super().verify(password, encoded)


class OldPBKDF2Hasher(PBKDF2PasswordHasher):
    """For hashes of other systems, which are replaced at login. Its `verify` calls `encode`."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """Raises Unavailable while the process computes as many hashes as it may."""
        with _turn_for_old():
            return super().encode(password, salt, iterations)


def demand_room() -> None:
    """Raise Unavailable while the process computes as many hashes as it may, before other work is done."""
    with _place(_places):
        pass


@contextmanager
def _turn() -> Iterator[None]:
    with _place(_places), _turns:
        yield


@contextmanager
def _turn_for_old() -> Iterator[None]:
    with _place(_places), _place(_places_for_old), _turn_of_old, _turns:
        yield


@contextmanager
def _place(places: BoundedSemaphore) -> Iterator[None]:
    if not places.acquire(blocking=False):
        raise Unavailable("Too many passwords are being checked at present, try again in a moment")
    try:
        yield
    finally:
        places.release()


def _unpadded(raw: bytes) -> str:
    return b64encode(raw).rstrip(b"=").decode()
