"""System checks of Redis. The shop serves without it, so they only warn."""

from collections.abc import Sequence

from django.apps import AppConfig
from django.conf import settings
from django.core import checks


def check_redis(app_configs: Sequence[AppConfig] | None, **options: object) -> list[checks.CheckMessage]:
    """Without an answer, everything stays in the database; without a switch, nothing uses Redis."""
    if not settings.REDIS_URL:
        return []
    if not (settings.THROTTLES_IN_REDIS or settings.SESSIONS_IN_REDIS or settings.TASKS_IN_REDIS):
        hint = "Set THROTTLES_IN_REDIS=True, SESSIONS_IN_REDIS=True or TASKS_IN_REDIS=True, or remove REDIS_URL."
        return [checks.Warning("REDIS_URL is set, but nothing uses Redis.", hint=hint, id="commerce.W005")]
    from kit.database.redis_client import NoAnswer, ask  # noqa: PLC0415 - its library is an extra

    try:
        ask(lambda redis: redis.ping(), use="check")
    except NoAnswer as error:
        text = f"Redis does not answer, so the database is used: {error.__cause__}"
        return [checks.Warning(text, hint="Correct REDIS_URL, or start Redis.", id="commerce.W006")]
    return []
