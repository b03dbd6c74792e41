"""The queues of background tasks. Emails and webhooks have tables of their own (kit/messages)."""

URGENT = "urgent"
"""Payments and completions."""

SLOW = "slow"
"""The tasks of a payment provider that responds slowly, so that the others do not wait for it."""

DEFAULT = "default"
CARRIERS = "carriers"

LONG = "long"
"""Jobs that staff start, and pictures: work that computes for long."""

FORMER_LONG = "bulk"
"""What LONG was called in 0.2: tasks of that name are still run."""

JOB_QUEUES = (LONG, FORMER_LONG)
"""The queues that the process of jobs runs."""

QUEUES = (URGENT, SLOW, DEFAULT, CARRIERS, LONG, FORMER_LONG)
