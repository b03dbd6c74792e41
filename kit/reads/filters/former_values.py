"""Lists that also find rows by a value which a column had before, such as the former handle of a product."""

from dataclasses import dataclass

from kit.query.conditions import Condition, Either, Every, Is, Some, parts_of


@dataclass(frozen=True, slots=True)
class FormerValues:
    """Rows of the relation have the former values, in a column of the same name as the listed rows' own."""

    column: str
    relation: str

    def widened(self, condition: Condition) -> Condition:
        """The condition, also true of rows that had a value before. Without the column, the same condition."""
        match condition:
            case Is() if self._compares(condition):
                return Either((condition, Some(self.relation, condition)))
            case Every(parts) | Either(parts):
                return type(condition)(tuple(map(self.widened, parts)))
            case _:
                return condition

    def count_values(self, condition: Condition) -> int | None:
        """How many values are asked for, if that is one part of the condition and all rows must meet it; else None.

        If so many rows are found, each has one of the values at present.
        """
        conditions = [part for part in parts_of(condition) if self.widened(part) != part]
        match conditions:
            case [Is(_, value) as part] if self._compares(part):
                return len(value) if isinstance(value, tuple) else 1
            case _:
                return None

    def _compares(self, condition: Is) -> bool:
        return condition.lookup in (self.column, f"{self.column}__in")
