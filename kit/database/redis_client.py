"""Redis for what the shop can do without: it has 100 ms to answer, then the caller goes on with the database alone.

Import this only where a setting such as THROTTLES_IN_REDIS is set, since its library is an extra.
"""

import time
from collections.abc import Callable
from functools import cache
from typing import TypeVar

import structlog
from django.conf import settings
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from kit.observability import metering

PATIENCE_SECONDS = 0.1
PAUSE_SECONDS = 1.0
Answer = TypeVar("Answer")
log = structlog.get_logger(__name__)


class NoAnswer(Exception):
    """Redis did not answer in time, refused the command, or is not asked for the moment."""


class CircuitBreaker:
    """The Redis connections of a process.

    After an error, requests go on without Redis immediately, and one in PAUSE_SECONDS tries it again.
    """

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._is_away = False
        self._paused_until = 0.0

    def ask(self, command: Callable[[Redis], Answer], *, use: str) -> Answer:
        """What the command returns. use: what the answer is for, in metrics. Raises NoAnswer."""
        if self._is_away:
            moment = time.monotonic()
            if moment < self._paused_until:
                metering.count_redis_fallback(use)
                raise NoAnswer
            self._paused_until = moment + PAUSE_SECONDS  # before asking, so that no other request waits beside this one
        try:
            answer = command(self._redis)
        except RedisError as error:
            self._pause(error)
            metering.count_redis_fallback(use)
            raise NoAnswer from error
        if self._is_away:
            self._is_away = False
            log.warning("redis_answers_again")
        return answer

    def _pause(self, error: RedisError) -> None:
        self._paused_until = time.monotonic() + PAUSE_SECONDS
        metering.count_redis_error(type(error).__name__)
        if not self._is_away:
            self._is_away = True
            log.warning("redis_does_not_answer", error=type(error).__name__)


@cache
def circuit_breaker() -> CircuitBreaker:
    """The circuit breaker of this process. Commands are not retried, and connecting takes no extra round trip."""
    redis = Redis.from_url(
        settings.REDIS_URL,
        socket_timeout=PATIENCE_SECONDS,
        socket_connect_timeout=PATIENCE_SECONDS,
        retry=Retry(NoBackoff(), 0),
        protocol=2,
        driver_info=None,
    )
    return CircuitBreaker(redis)


def ask(command: Callable[[Redis], Answer], *, use: str) -> Answer:
    """What the command returns, within 100 ms. use: what the answer is for, in metrics. Raises NoAnswer."""
    return circuit_breaker().ask(command, use=use)
