"""The background worker processes, with their arguments of `manage.py`.

Each queue of tasks is served by one of them. Mails and webhooks have tables and workers of their own: no payment
provider, carrier, mail server or webhook address that hangs delays the others.
"""

from collections.abc import Mapping

from commerce.kit.jobs.turns import QUEUE
from orders.fulfillments.requests import QUEUE as CARRIERS

WORKERS: Mapping[str, tuple[str, ...]] = {
    "background worker": ("db_worker", "--queue-name", "*", "--exclude-queues", f"{QUEUE},{CARRIERS}"),
    "bulk worker": ("db_worker", "--queue-name", QUEUE),
    "carrier worker": ("db_worker", "--queue-name", CARRIERS),
    "mail worker": ("send_mails",),
    "webhook worker": ("deliver_webhooks",),
}
