"""The progress of a command on standard error: bars on a terminal, a line for each step elsewhere."""

import sys

from tqdm import tqdm

from commerce.operations.backups.progress import Advance


class Progress:
    """Ends the previous step and begins the next one when it is called. verbosity: 0 shows nothing."""

    def __init__(self, verbosity: int) -> None:
        self._is_shown = bool(verbosity)
        self._bar = tqdm(disable=True)

    def __call__(self, step: str, size: int) -> Advance:
        self._bar.close()
        if self._is_shown and not sys.stderr.isatty():
            sys.stderr.write(f"{step}\n")
        self._bar = tqdm(
            desc=step,
            total=size or None,
            unit="B",
            unit_scale=True,
            disable=not (self._is_shown and sys.stderr.isatty()),
        )
        return self._bar.update
