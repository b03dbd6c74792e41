"""`manage.py restore`: restores a file of `manage.py backup`."""

from argparse import ArgumentParser

from django.core.management.base import CommandError
from django.db import Error

from commerce.operations.backups import restoring
from commerce.operations.backups.refusal import BackupRefused
from commerce.operations.backups.restoring import Restored
from commerce.operations.progress_lines import Progress
from kit.commands.operator_command import OperatorCommand


class Command(OperatorCommand):
    """Exits with code 1 if a check fails after the restoration."""

    help = (
        "Restore a backup into an empty database: its tables and pictures. Applies the migrations of this version, and "
        "checks counts, triggers, the ledger, pictures and webhook secrets. Stop the server first."
    )
    examples = (
        "restore --check /var/backups/shop/shop-2027-01-31.zip",
        "restore /var/backups/shop/shop-2027-01-31.zip",
    )
    interruption = "tables and files may be missing or unchecked; run the command again, with --force"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="A file of `manage.py backup`.")
        parser.add_argument("--check", action="store_true", help="Only check whether FILE could be restored here.")
        parser.add_argument("--force", action="store_true", help="Remove the database's tables and replace files.")
        parser.add_argument(
            "--other-secrets",
            action="store_true",
            help="Restore even if what other secrets signed and encrypted is lost.",
        )

    def handle(self, *, file: str, check: bool, force: bool, other_secrets: bool, verbosity: int, **_: object) -> None:
        progress = Progress(verbosity)
        try:
            if check:
                manifest = restoring.check(file, progress, with_other_secrets=other_secrets)
                self.stdout.write(f"{file} can be restored: version {manifest.version}, {manifest.created_at}")
                return
            restored = restoring.restore(file, progress, force=force, with_other_secrets=other_secrets)
        except BackupRefused as error:
            raise CommandError(f"Nothing was restored. {error}") from error
        except Error as error:
            raise CommandError(f"The database failed: {error}") from error
        except OSError as error:
            raise CommandError(f"Nothing was restored. {error.filename or file}: {error.strerror}") from error
        self._report(restored)

    def _report(self, restored: Restored) -> None:
        rows = sum(restored.manifest.rows.values())
        self.stdout.write(f"Restored {rows} rows and {restored.files} files, as of {restored.manifest.created_at}")
        if restored.migrations:
            self.stdout.write(f"Migrations of this version applied: {len(restored.migrations)}")
        for sentence in restored.problems:
            self.stdout.write(sentence)
        if restored.problems:
            raise CommandError(f"Problems found by the checks: {len(restored.problems)}")
        self.stdout.write("Checked row counts, triggers, the ledger, pictures and webhook secrets: no problems")
