"""A Redis server that keeps everything in memory, as one without persistence does."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

from pytest_django import Settings
from redis import Redis
from redis.exceptions import ConnectionError as NoConnection

from kit.database.redis_client import circuit_breaker
from tests.plugins.servers import find
from tests.plugins.throwaway import ThrowAway
from tests.ports import free_port

PATIENCE = 30.0


class RedisServer:
    """Runs until it is killed; `start` starts another one at the same address."""

    def __init__(self) -> None:
        self.port = free_port()
        self._home = ThrowAway("redis")
        self.start()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start an empty server, and wait until it answers."""
        options = ["--bind", "127.0.0.1", "--save", "", "--dir", str(self._home.directory)]
        self._home.keep([str(find("redis-server")), "--port", str(self.port), *options])
        deadline = time.monotonic() + PATIENCE
        while not self.answers():
            assert time.monotonic() < deadline, self._home.log()
            time.sleep(0.02)

    def kill(self) -> None:
        """As by the kernel when memory is short: nothing is written to disk."""
        os.kill(self._process_id(), signal.SIGKILL)
        deadline = time.monotonic() + PATIENCE
        while self.answers():
            assert time.monotonic() < deadline
            time.sleep(0.02)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """It accepts connections and commands, and answers none of them until the block ends."""
        process_id = self._process_id()
        os.kill(process_id, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(process_id, signal.SIGCONT)

    def client(self) -> Redis:
        """A connection of the test's own."""
        return Redis.from_url(self.url)

    def _process_id(self) -> int:
        with self.client() as client:
            return int(client.info("server")["process_id"])

    def answers(self) -> bool:
        with self.client() as client:
            try:
                return bool(client.ping())
            except NoConnection:
                return False

    def remove(self) -> None:
        self._home.remove()


@contextmanager
def redis_server() -> Iterator[RedisServer]:
    server = RedisServer()
    try:
        yield server
    finally:
        server.remove()


@contextmanager
def redis_for(settings: Settings, switch: str) -> Iterator[RedisServer]:
    """A server that this process uses for what the switch says."""
    with redis_server() as server:
        settings.REDIS_URL = server.url
        setattr(settings, switch, True)
        circuit_breaker.cache_clear()
        yield server
    circuit_breaker.cache_clear()
