"""The processes that run background tasks beside the web server: arguments of `manage.py` by name.

Together they serve every queue, and no two of them the same.
"""

from collections.abc import Mapping

from commerce.kit.jobs.turns import QUEUE

WORKERS: Mapping[str, tuple[str, ...]] = {
    "background worker": ("db_worker", "--queue-name", "*", "--exclude-queues", QUEUE),
    "bulk worker": ("db_worker", "--queue-name", QUEUE),
}
