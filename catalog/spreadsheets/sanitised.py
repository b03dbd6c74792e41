"""HTML of descriptions from files of strangers: a storefront may show it as it is."""

import re

import nh3

from kit.spreadsheets.columns import LONG_TEXT, Kind

_TAG = re.compile(r"<[A-Za-z/!?]")


class Html(str):
    """A description as a file has it. sanitised: without elements and attributes that run scripts.

    A text without elements is as it is: `Salt & Pepper`. Sanitising can take long, so it is done where a cell is read:
    before products are locked.
    """

    __slots__ = ("sanitised",)

    def __init__(self, text: str) -> None:
        self.sanitised = nh3.clean(text) if _TAG.search(text) else text


def _html(cell: str) -> Html:
    return Html(LONG_TEXT.read(cell))


HTML = Kind(_html)
