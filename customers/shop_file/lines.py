"""Single-line texts, as the customers' verbs require."""

from dataclasses import dataclass

from commerce.kit.core import text
from commerce.kit.shop_file.values import Misfit, Text


@dataclass(frozen=True, kw_only=True)
class Line(Text):
    """One line, or null."""

    longest: int | None = text.LONGEST
    nullable: bool = True

    def understood(self, raw: object) -> str:
        line = super().understood(raw)
        problem = text.fault(line, one_line=True)
        if problem:
            raise Misfit(problem)
        return line
