"""Deletes imports and exports: a day after they were made, and those of personal data when a person is erased."""

from django.db.models import QuerySet

from kit.jobs.models import Job
from kit.jobs.states import UNFINISHED
from kit.spreadsheets import files
from kit.spreadsheets.declarations import SPREADSHEETS
from kit.spreadsheets.jobs import EXPORT
from kit.spreadsheets.models import LIFETIME, Import, ImportResult
from kit.values.timestamps import now
from kit.writes.batched_deletion import delete_in_batches


def discard_expired() -> int:
    """Returns how many imports and files. Imports whose job is unfinished stay."""
    expired = Import.objects.filter(created_at__lt=now() - LIFETIME).exclude(job__status__in=UNFINISHED)
    deleted = _delete(Import.objects.filter(pk__in=[*expired.values_list("pk", flat=True)]))
    return deleted + files.discard_expired({*Import.objects.values_list("pk", flat=True)})


def discard_personal() -> None:
    """Delete what may contain a person's data: everything of spreadsheets whose exports stand in the history."""
    personal = [key for key, spreadsheet in SPREADSHEETS.get().items() if spreadsheet.recorded]
    imports = Import.objects.filter(spreadsheet__in=personal)
    ids = [*imports.values_list("pk", flat=True)]
    jobs = Job.objects.filter(kind=EXPORT, parameters__spreadsheet__in=personal).values_list("pk", flat=True)
    for key in (*ids, *jobs):
        files.discard(key)
    _delete(imports)


def _delete(imports: QuerySet[Import]) -> int:
    delete_in_batches(ImportResult.objects.filter(of__in=imports.values("pk")))
    return delete_in_batches(imports)
