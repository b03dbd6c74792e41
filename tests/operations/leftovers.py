"""Rows and files of each kind that `prune` looks at."""

import os
from datetime import timedelta
from uuid import uuid4

from django.contrib.sessions.models import Session
from django.db.models import Model
from django_tasks_db.models import DBTaskResult

from auth.models import KnownAddress, PasswordReset
from carts.models import Cart
from kit.jobs.models import Job, Refusal, Selection
from kit.jobs.states import JobStatus
from kit.messages.mails.models import Mail
from kit.messages.outbox.models import Event
from kit.messages.webhooks.models import Delivery, WebhookAddress
from kit.safety.idempotency.models import Record
from kit.safety.throttling.models import Counter
from kit.spreadsheets.models import Import, ImportResult
from kit.values.timestamps import now
from orders.models import OrderLookup
from orders.reports.export import files
from tests.factories import carts as make
from tests.factories.clock import at
from tests.factories.staff import UserFactory


def leave_of_each_kind(*, age: timedelta, number: int) -> None:
    """That many rows of each kind, made or ended so long ago; what expires at a moment has an hour left when new."""
    moment = now() - age
    ends = moment + timedelta(hours=1)
    for _ in range(number):
        name = uuid4().hex
        Record.objects.create(actor="user:1", key_digest=name, fingerprint="", status=200, body=b"", created_at=moment)
        Counter.objects.create(digest=name, count=1, window_end=int(ends.timestamp()))
        KnownAddress.objects.create(digest=name, seen_at=moment - timedelta(days=60))
        PasswordReset.objects.create(actor_type="customer", email=name, created_at=moment)
        OrderLookup.objects.create(number=name, sales_channel_ids=[], created_at=moment)
        Mail.objects.create(kind="any", about=name, next_try_at=None, created_at=moment - 3 * age)
        Session.objects.create(session_key=name, session_data="", expire_date=ends)
        DBTaskResult.objects.create(
            task_path="a.b",
            args_kwargs={},
            backend_name="default",
            run_after=moment,
            status="SUCCESSFUL",
            finished_at=moment,
        )
        job = Job.objects.create(
            kind="", title=name, actor=UserFactory(), status=JobStatus.DONE, total=1, refused=1, expires_at=ends
        )
        Selection.objects.create(job=job, first=0, keys=[name])
        Refusal.objects.create(job=job, label=name, reason="")
        event = Event.objects.create(name="", about=name, data={}, created_at=moment)
        address, _ = WebhookAddress.objects.get_or_create(url="https://erp.example/")
        Delivery.objects.create(event=event, address=address, expires_at=moment, created_at=moment)
        with at(moment):
            make.cart()
        with files.new_file(name):
            pass
        os.utime(files.path_of(name), (moment.timestamp(), moment.timestamp()))
        one = Import.objects.create(spreadsheet="products", name=name, format="csv", created_at=moment)
        ImportResult.objects.create(of=one, row=2, about="", label="", action="new", text="")


KINDS = (
    Record,
    Counter,
    Cart,
    KnownAddress,
    Session,
    DBTaskResult,
    Job,
    Selection,
    Refusal,
    PasswordReset,
    OrderLookup,
    Mail,
    Delivery,
    Event,
    Import,
    ImportResult,
)


def left() -> dict[type[Model], int]:
    """How many rows of each kind there are."""
    return {model: model._default_manager.count() for model in KINDS}
