"""What is wrong with a shop file, told by path: `users[2].email: is required`."""

SHOWN = 20


class Problems:
    """What is wrong with a file: all are counted, the first SHOWN are kept as lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.count = 0
        self._spoilt: set[tuple[str, str | None]] = set()

    def add(self, path: str, message: str) -> None:
        """Tell one."""
        self.count += 1
        if len(self.lines) < SHOWN:
            self.lines.append(f"{path}: {message}")

    def spoil(self, key: str, name: str | None) -> None:
        """Remember an object that is in the file but has problems: who refers to it has none for that."""
        self._spoilt.add((key, name))

    def is_spoilt(self, key: str, name: str) -> bool:
        """Whether the object of that natural key has been told of already."""
        return (key, name) in self._spoilt
