"""What happens to the servers beside PostgreSQL during the soak, one after the other, again and again."""

import signal
import threading
import time
from collections.abc import Callable

from tests.soak.place import Servers

APART_SECONDS = 6.0
LASTING_SECONDS = 4.0
LAG_SECONDS = 10.0
"""Longer than a read of the catalogue may be out of date: only leaving the replica out keeps reads right."""


class Faults(threading.Thread):
    """happened: the names, in turn."""

    def __init__(self, servers: Servers) -> None:
        super().__init__(daemon=True)
        self.happened: list[str] = []
        self.failure: BaseException | None = None
        self._ended = threading.Event()
        self._kinds: dict[str, Callable[[], None]] = {
            "the replica lags": lambda: self._lag(servers),
            "the replica is killed": lambda: self._strike(servers, signal.SIGKILL),
            "Redis is silent": lambda: self._silence(servers),
            "the replica is silent": lambda: self._strike(servers, signal.SIGSTOP),
            "Redis is killed": lambda: self._kill_redis(servers),
        }

    def run(self) -> None:
        try:
            while True:
                for name, happen in self._kinds.items():
                    if self._ended.wait(APART_SECONDS):
                        return
                    happen()
                    self.happened.append(name)
        except Exception as error:  # noqa: BLE001 - `end` raises it
            self.failure = error

    def end(self) -> None:
        """Let the last one pass."""
        self._ended.set()
        self.join()
        if self.failure:
            raise self.failure

    def _lag(self, servers: Servers) -> None:
        servers.replica.pause()
        time.sleep(LAG_SECONDS)
        servers.replica.resume()

    def _strike(self, servers: Servers, how: signal.Signals) -> None:
        servers.replica.kill(how)
        time.sleep(LASTING_SECONDS)
        servers.replica.revive(how)

    def _silence(self, servers: Servers) -> None:
        with servers.redis.paused():
            time.sleep(LASTING_SECONDS)

    def _kill_redis(self, servers: Servers) -> None:
        servers.redis.kill()
        time.sleep(LASTING_SECONDS)
        servers.redis.start()
