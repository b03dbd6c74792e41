"""A web worker that is killed in the middle of its work: `python -m tests.concurrency.interrupted_work <key>`."""

import signal
import sys

import django

django.setup()

from kit.safety.idempotency.replay import Answer, run_once
from shop.models import SalesChannel


def work() -> Answer:
    SalesChannel.objects.create(name="Made once")
    sys.stdout.write("working\n")
    sys.stdout.flush()
    signal.pause()
    raise AssertionError("nobody wakes this worker, it is killed")


run_once(actor="customer:cus_1", key=sys.argv[1], fingerprint="f" * 64, work=work)
