"""Problems of a shop file, each with its path: `users[2].email: is required`."""

SHOWN = 20


class Problems:
    """The problems of a file: all are counted, the first SHOWN are kept as lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.count = 0
        self._invalid: set[tuple[str, str | None]] = set()

    def add(self, path: str, message: str) -> None:
        """Add one."""
        self.count += 1
        if len(self.lines) < SHOWN:
            self.lines.append(f"{path}: {message}")

    def mark_invalid(self, key: str, name: str | None) -> None:
        """Remember an object with problems, so that references to it are not reported as further ones."""
        self._invalid.add((key, name))

    def is_invalid(self, key: str, name: str) -> bool:
        """Whether the object of that natural key has problems, which are reported already."""
        return (key, name) in self._invalid
