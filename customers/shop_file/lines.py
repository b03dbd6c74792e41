"""Single-line texts, as the customers' verbs require."""

from dataclasses import dataclass

from kit.shop_file.values import InvalidValue, Text
from kit.values import text


@dataclass(frozen=True, kw_only=True)
class Line(Text):
    """One line, or null."""

    longest: int | None = text.LONGEST
    nullable: bool = True

    def parse(self, raw: object) -> str:
        line = super().parse(raw)
        problem = text.fault(line, one_line=True)
        if problem:
            raise InvalidValue(problem)
        return line
