"""How many passwords a process hashes at a time, at what cost, and how old hashes are replaced."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed, wait
from itertools import islice
from runpy import run_path
from threading import Event, Lock

import pytest
from argon2.low_level import Type, hash_secret
from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher, PBKDF2PasswordHasher, make_password
from django.utils.module_loading import import_string
from nacl.pwhash import argon2id

from kit.errors import Unavailable
from kit.safety import password_hashers
from kit.safety.password_hash import password_matches
from kit.safety.password_hashers import Argon2Hasher, OldPBKDF2Hasher

pytestmark = pytest.mark.once
PASSWORD = "steeped leaves"


class OldArgon2Hasher(Argon2PasswordHasher):
    """Like Argon2Hasher's predecessor, but cheaper; still more expensive than the tests' hashes."""

    time_cost, memory_cost, parallelism = 2, 64, 8


PRESENT = Argon2Hasher().encode(PASSWORD, "somesaltsomesalt")
OLD_ARGON2 = OldArgon2Hasher().encode(PASSWORD, "somesaltsomesalt")
LONG_SALT = f"argon2${hash_secret(PASSWORD.encode(), b's' * 22, 1, 8, 1, 32, Type.ID).decode()[1:]}"
OLD_PBKDF2 = PBKDF2PasswordHasher().encode(PASSWORD, "salt", iterations=10)


class Hall:
    """Hashes that stay until they are let go, and how many are in at a time."""

    def __init__(self) -> None:
        self.inside = 0
        self.most = 0
        self._changes = Lock()
        self._door = Event()
        self._entered = [Event() for _ in range(20)]

    def stay(self) -> None:
        with self._changes:
            self.inside += 1
            self.most = max(self.most, self.inside)
            self._entered[self.inside].set()
        assert self._door.wait(20)
        with self._changes:
            self.inside -= 1

    def wait_for(self, number: int) -> None:
        assert self._entered[number].wait(20)

    def open(self) -> None:
        self._door.set()


@pytest.fixture
def hall(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    hall = Hall()
    for owner, name in ((argon2id, "kdf"), (Argon2PasswordHasher, "verify"), (PBKDF2PasswordHasher, "encode")):
        monkeypatch.setattr(owner, name, staying(getattr(owner, name), hall))
    yield hall
    hall.open()


def staying(original: Callable[..., object], hall: Hall) -> Callable[..., object]:
    def stays(*given: object, **named: object) -> object:
        hall.stay()
        return original(*given, **named)

    return stays


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(20) as pool:
        yield pool


def outcome(asked: Future[object]) -> object:
    return type(asked.exception(20)).__name__ if asked.exception(20) else asked.result()


def ask(pool: ThreadPoolExecutor, hashed: str, times: int) -> list[Future[object]]:
    return [pool.submit(password_matches, PASSWORD, hashed, keep=lambda _: None) for _ in range(times)]


def refused(asked: list[Future[object]], *, number: int) -> None:
    """That many are refused before any other ends; the others run, or wait."""
    first = list(islice(as_completed(asked, timeout=20), number))
    assert [outcome(each) for each in first] == ["Unavailable"] * number


def test_the_cost_is_what_the_shop_can_bear() -> None:
    assert [import_string(name) for name in settings.PASSWORD_HASHERS] == [Argon2Hasher, OldPBKDF2Hasher]
    as_shipped = run_path(password_hashers.__file__)["Argon2Hasher"]()  # the tests' own is the cheapest there is
    hashed = as_shipped.encode(PASSWORD, as_shipped.salt())
    assert hashed.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")
    assert not as_shipped.must_update(hashed)
    for hasher in (as_shipped, Argon2PasswordHasher()):  # the reference code agrees
        assert (hasher.verify(PASSWORD, hashed), hasher.verify("wrong", hashed)) == (True, False)


def test_two_hashes_run_and_one_waits_and_the_next_is_refused_at_once(hall: Hall, pool: ThreadPoolExecutor) -> None:
    asked = [pool.submit(make_password, PASSWORD) for _ in range(10)]
    refused(asked, number=7)  # while the door is shut: nobody of these waited
    hall.wait_for(2)
    hall.open()
    outcomes = [outcome(each) for each in asked]
    assert outcomes.count("Unavailable") == 7
    assert hall.most == 2
    assert password_matches(PASSWORD, make_password(PASSWORD), keep=lambda _: None)


def test_checking_and_making_share_these_places(hall: Hall, pool: ThreadPoolExecutor) -> None:
    asked = [*ask(pool, PRESENT, 5), *(pool.submit(make_password, PASSWORD) for _ in range(5))]
    refused(asked, number=7)
    hall.open()
    wait(asked)
    assert hall.most == 2


@pytest.mark.parametrize("hashed", [OLD_ARGON2, OLD_PBKDF2, LONG_SALT], ids=["argon2", "pbkdf2", "salt"])
def test_one_old_hash_runs_at_a_time_and_leaves_a_place_to_present_ones(
    hall: Hall, pool: ThreadPoolExecutor, hashed: str
) -> None:
    old = ask(pool, hashed, 5)
    refused(old, number=3)
    hall.wait_for(1)
    assert hall.inside == 1
    present = pool.submit(make_password, PASSWORD)
    hall.wait_for(2)
    hall.open()
    assert outcome(present).startswith("argon2")  # type: ignore[attr-defined]
    assert [outcome(each) for each in old].count(True) == 2


@pytest.mark.parametrize("hashed", [OLD_ARGON2, OLD_PBKDF2, LONG_SALT], ids=["argon2", "pbkdf2", "salt"])
def test_a_right_password_replaces_its_old_hash(hashed: str) -> None:
    kept: list[str] = []
    assert password_matches(PASSWORD, hashed, keep=kept.append)
    (fresh,) = kept
    assert f"$m={Argon2Hasher.memory_cost},t={Argon2Hasher.time_cost},p=1$" in fresh
    assert password_matches(PASSWORD, fresh, keep=kept.append)
    assert kept == [fresh]


@pytest.mark.parametrize("hashed", [OLD_ARGON2, OLD_PBKDF2, LONG_SALT], ids=["argon2", "pbkdf2", "salt"])
def test_a_wrong_password_replaces_nothing(hashed: str) -> None:
    kept: list[str] = []
    assert not password_matches("wrong", hashed, keep=kept.append)
    assert kept == []


def test_a_right_password_is_right_though_there_is_no_room_for_a_fresh_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> str:
        raise Unavailable("full")

    monkeypatch.setattr(Argon2Hasher, "encode", full)
    kept: list[str] = []
    assert password_matches(PASSWORD, OLD_ARGON2, keep=kept.append)
    assert kept == []


def test_a_failing_hash_gives_its_place_back(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> bytes:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(argon2id, "kdf", broken)
        for _ in range(2 * (password_hashers.AT_ONCE + password_hashers.WAITING)):
            with pytest.raises(MemoryError):
                make_password(PASSWORD)
    assert make_password(PASSWORD)
