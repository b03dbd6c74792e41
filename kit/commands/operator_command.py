"""The base of the shop's commands: `--help` ends with examples, Ctrl-C with a sentence about the state it leaves."""

import gc
import sys
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NoReturn

from django.core.management.base import BaseCommand, CommandParser, DjangoHelpFormatter

PROGRAM = ".venv/bin/python manage.py"
INTERRUPTED = 130
"""The exit code by which shells recognize Ctrl-C."""

SHOP = "shop"
"""The tag of system checks that every command runs."""

_HEADING = "examples:\n"


class OperatorCommand(BaseCommand):
    """A command that operators run.

    examples: command lines that work as printed, without `manage.py`.
    interruption: the state that Ctrl-C leaves; the end of a sentence.
    """

    # The shop's own: Django's load every page of the API and of the admin site, which takes longer than most commands.
    # `serve` and `check` run all.
    requires_system_checks = [SHOP]
    examples: ClassVar[Sequence[str]]
    interruption: ClassVar[str] = "uncommitted changes were rolled back; you can run the command again"

    def create_parser(self, prog_name: str, subcommand: str, **options: Any) -> CommandParser:
        lines = "\n".join(f"  {PROGRAM} {example}" for example in self.examples)
        return super().create_parser(
            prog_name, subcommand, formatter_class=_HelpFormatter, epilog=f"{_HEADING}{lines}", **options
        )

    def run_from_argv(self, argv: list[str]) -> None:
        # As in commerce/wsgi.py: collecting garbage among imported objects, which stay, and among those of the batch
        # at work took a third of the CPU of load_shop.
        gc.freeze()
        gc.set_threshold(20_000)
        super().run_from_argv(argv)

    def execute(self, *words: Any, **options: Any) -> str | None:
        try:
            return super().execute(*words, **options)
        except KeyboardInterrupt:
            end_interrupted(self.interruption)

    def keep_for_metrics(self, keep: Callable[[], None]) -> None:
        """Keep what metrics show of this run; if that fails, warn: what the command is for is done by then."""
        try:
            keep()
        except OSError as error:
            self.stderr.write(f"The metrics do not show this run: {error.filename}: {error.strerror}")


def end_interrupted(state: str) -> NoReturn:
    """End the process after Ctrl-C, with a sentence that names the state it leaves."""
    sys.stderr.write(f"\nInterrupted: {state}.\n")
    sys.exit(INTERRUPTED)


class _HelpFormatter(DjangoHelpFormatter):
    """Keeps the line breaks of the examples."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if text.startswith(_HEADING) else super()._fill_text(text, width, indent)
