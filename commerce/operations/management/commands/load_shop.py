"""Loads a shop's data from files."""

from argparse import ArgumentParser

from django.core.management.base import CommandError
from django.db import IntegrityError, OperationalError, transaction

from commerce.operations.shop_files.json_streams import STANDARD_INPUT, NotAShopFile
from commerce.operations.shop_files.shop_files import KEYS, Loaded, ShopFileRefused, load
from kit.commands.operator_command import OperatorCommand
from kit.commands.progress_bars import with_bar
from kit.database.locking import is_conflict, was_taken
from kit.shop_file.problems import Problems

_CONFLICT = "Other changes conflict with the file. Nothing was loaded; try again."


class Command(OperatorCommand):
    """Loads several files one after another, all or none."""

    help = "Load a shop's data from JSON files; if anything in them is wrong, nothing is loaded."
    examples = ("load_shop commerce/operations/demo.shop.json", "load_shop shop.json.gz --only products price_lists")
    interruption = "the files are loaded completely or not at all; you can run the command again"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="A .json or .json.gz file; - is standard input.")
        parser.add_argument("--only", nargs="+", choices=KEYS, default=[], metavar="KEY", help="Load only these keys.")

    def handle(self, *, files: list[str], only: list[str], **_: object) -> None:
        try:
            with transaction.atomic():
                results = [load(name, only=only, watch=with_bar) for name in files]
        except NotAShopFile as error:
            raise CommandError(str(error)) from error
        except ShopFileRefused as error:
            raise CommandError(_message(error.problems)) from error
        except OperationalError as error:
            if is_conflict(error):
                raise CommandError(_CONFLICT) from error
            raise
        except IntegrityError as error:
            if was_taken(error):  # by another transaction since the file was checked
                raise CommandError(_CONFLICT) from error
            raise
        for name, loaded in zip(files, results, strict=True):
            self._report(name, loaded)

    def _report(self, name: str, loaded: Loaded) -> None:
        source = "standard input" if name == STANDARD_INPUT else name
        self.stdout.write(f"Loaded {source}")
        for key, counts in loaded.counts.items():
            self.stdout.write(f"  {key}: {counts}")
        for line in loaded.announcements:
            self.stdout.write(f"  {line}")


def _message(problems: Problems) -> str:
    more = problems.count - len(problems.lines)
    rest = [f"… and {more} more"] if more else []
    return "\n".join(["Nothing was loaded:", *problems.lines, *rest])
