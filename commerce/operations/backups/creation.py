"""Making a backup, while the shop serves."""

from pathlib import Path
from zipfile import ZipFile

from django.conf import settings
from django.db import connection

from commerce.operations.backups import databases, files, secrets
from commerce.operations.backups.archive import Writer
from commerce.operations.backups.manifest import Manifest
from commerce.operations.backups.progress import Progress
from kit.commands.atomic_files import whole_file
from kit.values.timestamps import isoformat, now


def create(name: str, progress: Progress, *, with_pictures: bool = True) -> Manifest:
    """Write a backup to a new file (mode 0600), which appears once it is complete.

    with_pictures: without them, the backup has the database, the received files and the PDFs of invoices only.
    Raises FileExistsError if there is one of that name, OSError if it cannot be written, and BackupRefused.
    """
    with whole_file(name, replace=False) as file, ZipFile(file, "w") as opened:
        return _write(Writer(opened), Path(name).parent, progress, with_pictures=with_pictures)


def _write(archive: Writer, directory: Path, progress: Progress, *, with_pictures: bool) -> Manifest:
    """Write the database before pictures and PDFs, so that all that it refers to are included.

    Received files are added before and after it: one that arrives before the copy may be converted right after.
    """
    database, created_at = databases.vendor(), isoformat(now())
    files.add_uploads(archive, progress(files.UPLOADS, files.size_of_uploads()))
    with database.snapshot(directory, progress) as snapshot:
        archive.add(database.MEMBER, snapshot.chunks, is_compressed=database.IS_COMPRESSED)
    files.add_uploads(archive, progress(files.UPLOADS, files.size_of_uploads()))
    files.add_invoices(archive, progress(files.INVOICES, 0))
    if with_pictures:
        files.add_pictures(archive, progress(files.MEDIA, 0))
    manifest = Manifest(
        version=settings.VERSION,
        created_at=created_at,
        database=connection.vendor,
        migrations=snapshot.migrations,
        rows=snapshot.rows,
        secrets=secrets.digests(),
        members=archive.members,
    )
    archive.add_manifest(manifest)
    return manifest
