"""`manage.py backup`: the database and the pictures in one file."""

from argparse import ArgumentParser

from django.core.management.base import CommandError

from commerce.operations.backups.creation import create
from commerce.operations.backups.last_backup import keep_backup
from commerce.operations.backups.refusal import BackupRefused
from commerce.operations.progress_lines import Progress
from kit.commands.operator_command import OperatorCommand


class Command(OperatorCommand):
    """Runs while the shop serves. If it is interrupted, it leaves no file."""

    help = (
        "Write the database and all pictures, as of a single point in time, to a new file that only its owner can "
        "read. The shop stays open. The file does not contain .env: keep the secrets elsewhere."
    )
    examples = ("backup /var/backups/shop/shop-2027-01-31.zip",)
    interruption = "no incomplete file is left; you can run the command again"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="A new file, such as /srv/backups/shop-2027-01-31.zip.")

        parser.add_argument(
            "--without-pictures",
            action="store_true",
            help="Leave out the pictures, if their bucket is backed up in another way.",
        )

    def handle(self, *, file: str, without_pictures: bool, verbosity: int, **_: object) -> None:
        try:
            manifest = create(file, Progress(verbosity), with_pictures=not without_pictures)
        except BackupRefused as error:
            raise CommandError(f"No backup was made. {error}") from error
        except FileExistsError as error:
            raise CommandError(f"No backup was made. {file} already exists; choose another name.") from error
        except OSError as error:
            raise CommandError(f"No backup was made. {error.filename or file}: {error.strerror}") from error
        self.keep_for_metrics(keep_backup)
        rows, members = sum(manifest.rows.values()), len(manifest.members) - 1
        self.stdout.write(f"{file}: {rows} rows of {len(manifest.rows)} tables, and {members} files")
