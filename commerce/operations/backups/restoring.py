"""Restoring a backup."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import connection

from commerce.operations.backups import databases, files, secrets
from commerce.operations.backups.archive import Reader, opened
from commerce.operations.backups.manifest import Manifest
from commerce.operations.backups.progress import Progress
from commerce.operations.backups.refusal import BackupRefused
from commerce.operations.backups.restored_checks import different_rows, problems
from commerce.operations.migration_state import known_migrations, pending_migrations


@dataclass(frozen=True)
class Restored:
    """files: how many were written. migrations: those that were applied after. problems: a sentence for each."""

    manifest: Manifest
    files: int
    migrations: Sequence[str]
    problems: Sequence[str]


def check(name: str, progress: Progress, *, with_other_secrets: bool = False) -> Manifest:
    """Whether this version, with its secrets, could restore the backup: its checksums and what it needs.

    Raises BackupRefused with the reason, and OSError if the file cannot be read.
    """
    with opened(name) as archive:
        _require_usable(archive.manifest, with_other_secrets=with_other_secrets)
        archive.check(progress("checksums", archive.size))
        files.require_pictures(archive)
        return archive.manifest


def restore(name: str, progress: Progress, *, force: bool = False, with_other_secrets: bool = False) -> Restored:
    """Restore the backup and check the result.

    force: also into a database with tables, which are lost, and over other files. with_other_secrets: even if
    what the former secrets signed and encrypted is lost.
    Raises BackupRefused with the reason, and OSError if a file cannot be read or written.
    """
    with opened(name) as archive:
        _require_usable(archive.manifest, with_other_secrets=with_other_secrets)
        is_empty = not connection.introspection.table_names()
        if not (is_empty or force):
            raise BackupRefused(
                "The database has tables: restore into an empty one and let DATABASE_URL name it, or use --force, "
                "which removes all tables."
            )
        archive.check(progress("checksums", archive.size))
        files.require_pictures(archive)
        if not force:
            files.require_no_others(archive)
        return _restore(archive, progress, is_empty=is_empty)


def _restore(archive: Reader, progress: Progress, *, is_empty: bool) -> Restored:
    """Restore the files before the database, so that an error in writing them leaves the database unchanged."""
    manifest, database = archive.manifest, databases.vendor()
    database.require_ready()
    count = files.extract(archive, progress("files", 0))
    if not is_empty:
        database.clear()
    try:
        database.load(archive.chunks(database.MEMBER), progress)
    except BackupRefused as error:
        if connection.introspection.table_names():
            raise
        raise BackupRefused(f"{error}\nThe database is empty now: restore again.") from error
    found = different_rows(manifest.rows)
    if pending := pending_migrations():
        call_command("migrate", interactive=False, verbosity=0)
    ContentType.objects.clear_cache()  # its ids are those of the backup
    return Restored(manifest, count, pending, [*found, *problems()])


def _require_usable(manifest: Manifest, *, with_other_secrets: bool) -> None:
    if manifest.database != connection.vendor:
        raise BackupRefused(
            f"The backup is of {manifest.database}, and DATABASE_URL names {connection.vendor}: change DATABASE_URL. "
            "To move a shop to another kind of database, use dump_shop and load_shop."
        )
    if unknown := sorted({*manifest.migrations} - known_migrations()):
        raise BackupRefused(
            f"The backup is of version {manifest.version}; this is {settings.VERSION}, which does not know its "
            f"migration {unknown[0]}. Install that version or a later one."
        )
    if (missing := secrets.missing(manifest.secrets)) and not with_other_secrets:
        names = " and ".join(missing)
        raise BackupRefused(
            f"The backup was made with another {names}. Set the one in use then, or add it to {missing[0]}_FALLBACKS "
            "(see docs/operators/secrets.md). With --other-secrets, what it signed and encrypted is lost."
        )
