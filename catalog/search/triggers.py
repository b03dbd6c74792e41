"""The definition of a trigger, for both databases."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Trigger:
    """when: `AFTER INSERT`, `AFTER UPDATE OF …`. body: what it runs for each row. only_if: a condition on the row."""

    name: str
    table: str
    when: str
    body: str
    only_if: str = ""

    @property
    def made(self) -> str:
        """The statement that creates it."""
        condition = f" WHEN ({self.only_if})" if self.only_if else ""
        return f"CREATE TRIGGER {self.name} {self.when} ON {self.table} FOR EACH ROW{condition} {self.body}"
