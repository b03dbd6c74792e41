"""The background worker processes, with their arguments of `manage.py`.

Together they serve every queue, and each queue is served by one of them. Webhooks have no queue: the events are it.
"""

from collections.abc import Mapping

from commerce.kit.jobs.turns import QUEUE

WORKERS: Mapping[str, tuple[str, ...]] = {
    "background worker": ("db_worker", "--queue-name", "*", "--exclude-queues", QUEUE),
    "bulk worker": ("db_worker", "--queue-name", QUEUE),
    "webhook worker": ("deliver_webhooks",),
}
