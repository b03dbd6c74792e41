"""Imports of files with their results, and the mappings of columns that the shop remembers."""

from datetime import timedelta

from django.conf import settings
from django.db import models

from kit.jobs.models import LABEL_MAX_LENGTH, Job
from kit.spreadsheets.declarations import Result
from kit.values.ids import ID_MAX_LENGTH, IdField
from kit.values.timestamps import TimestampField, now

LIFETIME = timedelta(hours=24)
"""After this time, `prune` deletes an import with its files, unless a job works at it."""


class ImportState(models.TextChoices):
    """`uploaded`: columns, reading and options may be changed. `previewed`: it can be confirmed, or changed again.

    `confirmed`: rows are being written, or have been; `position` and the job say how far.
    """

    UPLOADED = "uploaded"
    PREVIEWED = "previewed"
    CONFIRMED = "confirmed"


class Import(models.Model):
    """A file that its owner brings; nobody else sees it. owner: None if a command brings it.

    spreadsheet: a key of SPREADSHEETS. format: csv or xlsx. reading: the fields of a CsvReading. digest: SHA-256 of the
    file. headers, mapping: the names of the columns, and the field of each, or "". options: see Spreadsheet. counts:
    records of the preview by Result, with `rows`. problems: the first 1,000, `[row, header, message]`. position: how
    many records are done. undo_size: bytes of the undo file. done: records by Result. created_at: of the upload, then
    of the confirmation, then of the last batch: the beginning of its last day.
    """

    id = IdField(prefix="imp")
    spreadsheet = models.CharField(max_length=64)
    name = models.CharField(max_length=LABEL_MAX_LENGTH)
    # Without constraints: the version before, which may still serve, deletes users and jobs without knowing this table.
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+", db_constraint=False
    )
    format = models.CharField(max_length=8)
    reading = models.JSONField(default=dict)
    digest = models.CharField(max_length=64)
    headers = models.JSONField(default=list)
    mapping = models.JSONField(default=list)
    options = models.JSONField(default=dict)
    state = models.CharField(max_length=16, choices=ImportState, default=ImportState.UPLOADED)
    counts = models.JSONField(default=dict)
    problems = models.JSONField(default=list)
    job = models.ForeignKey(Job, models.SET_NULL, null=True, related_name="+", db_constraint=False)
    position = models.PositiveIntegerField(default=0)
    undo_size = models.PositiveBigIntegerField(default=0)
    done = models.JSONField(default=dict)
    created_at = TimestampField(default=now, db_index=True)

    class Meta:
        default_permissions = ()
        indexes = [models.Index(fields=["owner", "-created_at"], name="spreadsheets_import_by_owner")]

    def __str__(self) -> str:
        return self.name

    @property
    def total(self) -> int:
        """How many records the preview has found."""
        return sum(self.counts.get(kind, 0) for kind in Result)


class ImportResult(models.Model):
    """What has become of a record. row: the number of its first row. about: the id of its row, "" if there is none.

    is_addition: a new row within a changed one, such as a variant; it is to be deleted where the change is taken back.
    """

    of = models.ForeignKey(Import, models.CASCADE, related_name="results")
    row = models.PositiveIntegerField()
    about = models.CharField(max_length=ID_MAX_LENGTH)
    label = models.CharField(max_length=LABEL_MAX_LENGTH)
    action = models.CharField(max_length=16, choices=Result)
    text = models.TextField()
    is_addition = models.BooleanField(default=False)

    class Meta:
        default_permissions = ()
        ordering = ("pk",)

    def __str__(self) -> str:
        return self.label


class RememberedMapping(models.Model):
    """How a person has once mapped the columns of files with these headers. digest: of the headers."""

    spreadsheet = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)
    mapping = models.JSONField()
    updated_at = TimestampField(default=now)

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["spreadsheet", "digest"], name="spreadsheets_mapping_once")]

    def __str__(self) -> str:
        return f"{self.spreadsheet} {self.digest}"
