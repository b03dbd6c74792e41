"""When the last backup was made, for metrics: in a file, so that it outlives restarts of the server."""

from django.conf import settings

_NAME = "last-backup"


def keep_backup() -> None:
    """Keep that a backup is complete now, if metrics are on. Raises OSError."""
    if settings.METRICS_PORT:
        settings.METRICS_DIR.mkdir(parents=True, exist_ok=True)
        (settings.METRICS_DIR / _NAME).touch()


def last_backup() -> float | None:
    """When the last one that was kept was complete, in seconds since 1970; None if this user may read of none."""
    try:
        return float((settings.METRICS_DIR / _NAME).stat().st_mtime)
    except OSError:
        return None
