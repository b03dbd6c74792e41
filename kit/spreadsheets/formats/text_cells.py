"""Texts in cells that no spreadsheet takes for a formula, and that come back as they were.

Why: docs/decisions/spreadsheets.md#one-apostrophe-keeps-a-text-from-being-a-formula.
"""

_MARKED = frozenset("=+-@\t\r'")
"""What a text begins with that gets an apostrophe: those of formulas, and the apostrophe itself."""


def marked(text: str) -> str:
    """The text as a cell has it."""
    return f"'{text}" if text[:1] in _MARKED and text else text


def unmarked(cell: str) -> str:
    """The text of a cell. `'s-Hertogenbosch` keeps its apostrophe, since no marked sign follows it."""
    return cell[1:] if cell[:1] == "'" and cell[1:2] in _MARKED and len(cell) > 1 else cell
