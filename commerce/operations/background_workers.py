"""The processes that run background tasks beside the web server, as words of `manage.py` by name.

Together they take every queue, and none of them a queue of another.
"""

from collections.abc import Mapping

from commerce.jobs.turns import QUEUE

WORKERS: Mapping[str, tuple[str, ...]] = {
    "background worker": ("db_worker", "--queue-name", "*", "--exclude-queues", QUEUE),
    "bulk worker": ("db_worker", "--queue-name", QUEUE),
}
