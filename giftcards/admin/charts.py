"""Balance histories as line charts."""

from dataclasses import dataclass

from giftcards.ledger.outstanding import BalanceHistory
from kit.admin.lists.amounts import shown
from kit.values.currencies import currency_name
from kit.values.shown_dates import shown_date

WIDTH, HEIGHT = 900, 160
"""The size of a chart, in SVG units."""


@dataclass(frozen=True)
class Plot:
    """line: the points of an SVG polyline, oldest first; 0 is at the bottom, `highest` at the top.

    rows: the same as text, newest first: a day and an amount.
    """

    title: str
    line: str
    highest: str
    latest: str
    first_day: str
    last_day: str
    rows: list[tuple[str, str]]
    width: int = WIDTH
    height: int = HEIGHT

    @property
    def area(self) -> str:
        """The points of the area below the line."""
        return f"0,{HEIGHT} {self.line} {WIDTH},{HEIGHT}"


def plot(history: BalanceHistory) -> Plot:
    """The chart of a balance history."""
    days = [shown_date(day) for day, _ in history.balances]
    amounts = [amount for _, amount in history.balances]
    highest = max(amounts)
    steps = max(len(amounts) - 1, 1)
    points = [
        f"{WIDTH * place / steps:.1f},{float(HEIGHT - HEIGHT * amount / highest if highest else HEIGHT):.1f}"
        for place, amount in enumerate(amounts)
    ]
    shown_amounts = [shown(amount, history.currency_code) for amount in amounts]
    return Plot(
        title=currency_name(history.currency_code),
        line=" ".join(points),
        highest=shown(highest, history.currency_code),
        latest=shown_amounts[-1],
        first_day=days[0],
        last_day=days[-1],
        rows=list(zip(days, shown_amounts, strict=True))[::-1],
    )
