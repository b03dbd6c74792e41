"""A background task that takes long, as one does whose payment provider hangs."""

import time

from django_tasks import task


@task()
def hang(seconds: float) -> None:
    time.sleep(seconds)
